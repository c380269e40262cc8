import { expect, it } from "vitest";
import { isCredentialed, isPrivateRoad } from "./credentials.js";

it.each([
  ["https://example.com", true],
  ["http://localhost:80", true],
  ["http://app.localhost", true],
  ["http://127.0.0.1", true],
  ["http://127.1.2.3", true],
  ["http://2130706433", true],
  ["http://[::1]:8080", true],
  ["http://example.com", false],
  ["http://localhost.example.com", false],
  ["http://127.0.0.1.example.com", false],
  ["http://10.0.0.1", false],
  ["http://0.0.0.0", false],
  ["http://[::ffff:127.0.0.1]", false],
])("tells whether %s can be read along: %s", (url, expected) => {
  expect(isPrivateRoad(new URL(url))).toBe(expected);
});

it("counts headers, secrets in the query, and a URL that was completed", () => {
  const url = "http://host/mcp";
  const plain = { url };
  expect(isCredentialed(plain, plain)).toBe(false);
  expect(isCredentialed({ url: `${url}?page=1` }, { url: `${url}?page=1` })).toBe(false);
  expect(isCredentialed({ url, headers: { Accept: "x" } }, plain)).toBe(true);
  expect(isCredentialed({ url: `${url}?Api-Key=1` }, { url: `${url}?Api-Key=1` })).toBe(true);
  expect(isCredentialed(plain, { url: "http://{env:HOST}/mcp" })).toBe(true);
});
