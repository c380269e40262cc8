import { describe, expect, it } from "vitest";
import { createDoor, isLoopbackHost, toHostName } from "./door.js";
import type { Exchange } from "./exchange.js";

const door = createDoor({
  allowedHosts: ["tools.example", "proxy.example:8443"],
  allowedOrigins: ["https://app.example"],
  path: "/mcp",
});

/** What the door says of a request: the code of the refusal, or `in`. */
function knock(headers: Readonly<Record<string, string>>, path = "/mcp"): string {
  const exchange = { path, header: (name: string) => headers[name] } as unknown as Exchange;
  return door.check(exchange)?.error.code ?? "in";
}

describe("createDoor", () => {
  it.each([
    "localhost",
    "localhost:1234",
    "LOCALHOST:1",
    "127.0.0.1:65535",
    "[::1]",
    "[::1]:80",
    "tools.example",
    "tools.example:9",
    "Proxy.Example:8443",
  ])("lets the host %s in", (host) => {
    expect(knock({ host })).toBe("in");
  });

  it.each([
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil.example:80@localhost",
    "localhost@evil.example",
    "proxy.example",
    "proxy.example:1",
    "localhost:123456",
    "localhost, evil.example",
    "",
    "0.0.0.0",
    "[::]",
    "2130706433",
  ])("keeps the host %j out", (host) => {
    expect(knock({ host })).toBe("FORBIDDEN_HOST");
  });

  it("keeps a request without a host out", () => {
    expect(knock({})).toBe("FORBIDDEN_HOST");
  });

  it.each(["x-forwarded-host", "forwarded", "x-original-host"])("never reads %s", (name) => {
    expect(knock({ host: "evil.example", [name]: "localhost" })).toBe("FORBIDDEN_HOST");
  });

  it.each([
    ["127.0.0.1:80", "http://localhost:5173"],
    ["127.0.0.1:80", "https://127.0.0.1"],
    ["127.0.0.1:80", "http://[::1]:3000"],
    ["tools.example", "https://tools.example"],
    ["127.0.0.1:80", "https://app.example"],
    ["127.0.0.1:80", "HTTPS://APP.EXAMPLE"],
  ])("at %s lets pages of %s in", (host, origin) => {
    expect(knock({ host, origin })).toBe("in");
  });

  it.each([
    "null",
    "https://evil.example",
    "http://localhost.evil.example",
    "http://localhost@evil.example",
    "https://app.example.evil",
    "https://app.example:444",
    "file://localhost",
    "chrome-extension://localhost",
    "localhost",
    "",
  ])("keeps pages of %j out", (origin) => {
    expect(knock({ host: "localhost", origin })).toBe("FORBIDDEN_ORIGIN");
  });

  it.each(["/", "/mcp/", "/MCP", "/other", "//mcp", "http://localhost/mcp"])(
    "serves nothing at %s",
    (path) => {
      expect(knock({ host: "localhost" }, path)).toBe("UNKNOWN_PATH");
    },
  );

  it("looks at the host first, the origin next, the path last", () => {
    expect([
      knock({ host: "evil.example", origin: "https://evil.example" }, "/x"),
      knock({ host: "localhost", origin: "https://evil.example" }, "/x"),
    ]).toEqual(["FORBIDDEN_HOST", "FORBIDDEN_ORIGIN"]);
  });
});

describe("isLoopbackHost", () => {
  it.each(["localhost", "127.0.0.1", "127.8.9.10", "::1", "[::1]", "localhost:80"])(
    "takes %s for this machine",
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  it.each(["0.0.0.0", "::", "192.168.0.1", "localhost.example", "127.0.0.1.nip.io", ""])(
    "takes %j for more than this machine",
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );
});

describe("toHostName", () => {
  it.each([
    ["a.example:80", "a.example"],
    ["[::1]:80", "[::1]"],
    ["A", "a"],
    ["a:b", undefined],
    ["a/b", undefined],
  ])("reads %s as %s", (host, name) => {
    expect(toHostName(host)).toBe(name);
  });
});
