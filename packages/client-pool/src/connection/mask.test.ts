import { expect, it } from "vitest";
import { createMask } from "./mask.js";

it("hides environment values, secret arguments, and what was put in for a connection", () => {
  const written = { command: "x", args: ["{env:KEY}"], env: { KEY: "{env:KEY}", PORT: "80" } };
  const resolved = {
    ...written,
    args: ["--token=tok-12345", "postgres://u:p@host/db", "resolved-secret"],
    env: { KEY: "key-12345", PORT: "80" },
  };
  const mask = createMask(written, resolved);
  expect(
    mask("key-12345 tok-12345 --token=tok-12345 postgres://u:p@host/db resolved-secret port 80"),
  ).toBe("*** *** --token=*** *** *** port 80");
});

it("leaves what reasons need to be understood", () => {
  const args = ["/srv/server.mjs", "./run.js", "-y", "@scope/server", "--verbose", "index.ts"];
  const mask = createMask({ command: "node", args });
  const text = "Cannot find module '/srv/server.mjs' ./run.js -y @scope/server --verbose index.ts";
  expect(mask(text)).toBe(text);
});

it("hides headers, also without their scheme, and the secrets of a URL", () => {
  const mask = createMask({
    url: "https://me:pass-word@host/mcp?key=query-secret",
    headers: { Authorization: "Bearer bearer-secret" },
  });
  expect(mask("bearer-secret me pass-word query-secret")).toBe("*** me *** ***");
});

it("hides the longer of two values that overlap as a whole", () => {
  const mask = createMask({ command: "x", env: { A: "secret", B: "secret-and-more" } });
  expect(mask("secret-and-more secret")).toBe("*** ***");
});
