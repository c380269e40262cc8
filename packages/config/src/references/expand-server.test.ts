import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import type { HttpTransport, ServerEntry, StdioTransport } from "../mcp/server-entry.js";
import { expandServer, type Environment } from "./expand-server.js";

const base = { name: "s", protocol: "auto", disabled: false } as const;

function stdio(transport: Partial<StdioTransport>): ServerEntry {
  return {
    ...base,
    transport: { kind: "stdio", command: "server", args: [], env: {}, ...transport },
  };
}

function http(transport: Partial<HttpTransport>): ServerEntry {
  return {
    ...base,
    transport: { kind: "http", url: "https://host/mcp", headers: {}, ...transport },
  };
}

/** The resolved transport, or the codes of the problems. */
function expand(entry: ServerEntry, env: Environment): unknown {
  const expanded = expandServer(entry, env);
  return expanded.ok ? expanded.entry.transport : expanded.problems.map(({ code }) => code);
}

describe("expandServer()", () => {
  it("resolves references in arguments and in values of variables", () => {
    const entry = stdio({
      args: ["--key={env:K}", "{env:A}{env:B}", "x"],
      env: { T: "Bearer {env:K}" },
    });
    expect(expand(entry, { K: "k 1", A: "a", B: "b" })).toEqual({
      kind: "stdio",
      command: "server",
      args: ["--key=k 1", "ab", "x"],
      env: { T: "Bearer k 1" },
    });
  });

  it("never splits an argument, and never reads a value again", () => {
    const values = fc
      .string({ minLength: 1 })
      .filter((value) => !value.startsWith("-") && !value.includes("\0"));
    fc.assert(
      fc.property(values, (value) => {
        expect(expand(stdio({ args: ["{env:X}", "b"] }), { X: value, Y: "y" })).toMatchObject({
          args: [value, "b"],
        });
      }),
    );
    expect(expand(stdio({ args: ["{env:X}"] }), { X: "{env:Y}", Y: "y" })).toMatchObject({
      args: ["{env:Y}"],
    });
  });

  it.each([
    ["docker", ["run", "image", "{env:SHELL}", "-c", "{env:TEXT}"]],
    ["docker", ["run", "--entrypoint={env:SHELL}", "image", "-c", "{env:TEXT}"]],
    ["server", ["x/{env:SHELL}", "-c", "{env:TEXT}"]],
    ["deno", ["run", "{env:SCRIPT}"]],
  ])("lets no value turn %s %j into a program that runs a value", (command, args) => {
    const env = { SHELL: "/bin/sh", TEXT: "rm x", SCRIPT: "data:text/javascript,x" };
    const expanded = expandServer(stdio({ command, args }), env);
    expect(JSON.stringify(expanded)).not.toMatch(/rm x|\/bin|javascript/);
    expect(expanded).toMatchObject({ problems: [{ code: "REFERENCE_IN_PROGRAM_TEXT" }] });
  });

  it.each([
    ["env", ["{env:P}", "-c", "x"]],
    ["env", ["A=1", "{env:P}"]],
    ["sudo", ["-n", "{env:P}"]],
    ["npx", ["-y", "{env:P}"]],
    ["uvx", ["{env:P}/x"]],
    ["timeout", ["5", "nice", "{env:P}"]],
    ["server", ["-{env:P}"]],
    ["node", ["--{env:P}", "x.js"]],
    ["server", ["--no-{env:P}=x"]],
  ])("lets no value name the program or the option of %s %j", (command, args) => {
    expect(expand(stdio({ command, args }), { P: "p" })).toEqual(["REFERENCE_NOT_ALLOWED"]);
  });

  it.each([
    ["env", ["A={env:P}", "server", "{env:P}"]],
    ["sudo", ["-u", "{env:P}", "server"]],
    ["npx", ["-y", "some-server", "{env:P}", "--key={env:P}", "-p{env:P}"]],
    ["node", ["{env:P}/server.js"]],
  ])("takes a value that is data of %s %j", (command, args) => {
    expect(expandServer(stdio({ command, args }), { P: "p" })).toMatchObject({ ok: true });
  });

  it("takes a key that is written out in an address for a credential", () => {
    expect(expand(http({ url: "http://host/mcp?api_key=k" }), {})).toEqual([
      "CREDENTIAL_NEEDS_HTTPS",
    ]);
    expect(expandServer(http({ url: "https://host/mcp?api_key=k" }), {})).toMatchObject({
      ok: true,
      credential: true,
    });
  });

  it.each([
    "http://127.0.0.1.evil/",
    "http://localhost./",
    "http://[::ffff:127.0.0.1]/",
    "http://127.0.0.1{env:H}/",
    "{env:U}",
  ])("sends no credential over http to %s", (url) => {
    const env = { H: ".evil", U: "http://127.0.0.1.evil/", T: "t" };
    const codes = expand(http({ url, headers: { "X-Token": "{env:T}" } }), env);
    expect(codes).toEqual(["CREDENTIAL_NEEDS_HTTPS"]);
  });

  it("leaves an entry without references as it is", () => {
    expect(expandServer(stdio({ args: ["a"] }), {})).toMatchObject({ ok: true, credential: false });
  });

  it("names every variable that is missing or empty, once", () => {
    const entry = stdio({ args: ["{env:A}", "{env:A}"], env: { X: "{env:B}" } });
    expect(expandServer(entry, { B: "" })).toEqual({
      ok: false,
      problems: [
        {
          code: "MISSING_VARIABLE",
          message: "The environment variable A is not set. Set it and try again.",
        },
        {
          code: "MISSING_VARIABLE",
          message: "The environment variable B is empty. Set it and try again.",
        },
      ],
    });
  });

  it("takes properties of every object for missing variables", () => {
    expect(expand(stdio({ args: ["{env:constructor}", "{env:__proto__}"] }), {})).toEqual([
      "MISSING_VARIABLE",
      "MISSING_VARIABLE",
    ]);
  });

  it("refuses a value that would become an option", () => {
    expect(expand(stdio({ args: ["{env:X}"] }), { X: "--upload-pack=evil" })).toEqual([
      "OPTION_FROM_VARIABLE",
    ]);
    expect(expand(stdio({ args: ["{env:X}.json"] }), { X: "-o" })).toEqual([
      "OPTION_FROM_VARIABLE",
    ]);
    expect(expand(stdio({ args: ["--name={env:X}"] }), { X: "-o" })).toMatchObject({
      args: ["--name=-o"],
    });
  });

  it("refuses a value with a NUL character", () => {
    expect(expand(stdio({ env: { A: "{env:X}" } }), { X: "a\0b" })).toEqual(["WRONG_VARIABLE"]);
  });

  it.each([
    ["as the program", { command: "{env:X}" }, "REFERENCE_NOT_ALLOWED"],
    ["inside the program", { command: "/opt/{env:X}/server" }, "REFERENCE_NOT_ALLOWED"],
    ["as the folder", { cwd: "{env:X}" }, "REFERENCE_NOT_ALLOWED"],
    ["in a variable's name", { env: { "{env:X}": "a" } }, "REFERENCE_NOT_ALLOWED"],
    [
      "in program text",
      { command: "bash", args: ["-lc", "run {env:X}"] },
      "REFERENCE_IN_PROGRAM_TEXT",
    ],
    [
      "after program text",
      { command: "sh", args: ["-c", "run $1", "_", "{env:X}"] },
      "REFERENCE_IN_PROGRAM_TEXT",
    ],
    ["in a look-alike", { args: ["{env: X}"] }, "WRONG_REFERENCE"],
    ["after a dollar sign", { args: ["${env:X}"] }, "WRONG_REFERENCE"],
  ])("refuses a reference %s, also in an entry made by a program", (_, transport, code) => {
    expect(expand(stdio(transport), { X: "x" })).toEqual([code]);
  });

  it("puts the bearer token into a header and counts it as a credential", () => {
    const expanded = expandServer(http({ tokenEnv: "T" }), { T: "secret" });
    expect(expanded).toMatchObject({
      ok: true,
      credential: true,
      entry: { transport: { headers: { authorization: "Bearer secret" } } },
    });
    expect(expanded.ok && "tokenEnv" in expanded.entry.transport).toBe(false);
  });

  it.each([
    ["a reference in a header", { headers: { "X-A": "{env:T}" } }, true],
    ["a reference in the URL", { url: "https://host/mcp?v={env:T}" }, true],
    ["a header with a secret's name", { headers: { "X-Api-Key": "k" } }, true],
    ["a cookie", { headers: { Cookie: "k" } }, true],
    ["an ordinary header", { headers: { "X-Client": "postern" } }, false],
    ["nothing", {}, false],
  ])("tells whether %s is a credential", (_, transport, credential) => {
    expect(expandServer(http(transport), { T: "t" })).toMatchObject({ ok: true, credential });
  });

  it.each([
    "http://127.0.0.1:8080/mcp",
    "http://127.1/mcp",
    "http://127.9.9.9/mcp",
    "http://localhost:1/",
    "http://[::1]:1/",
    "https://anywhere.example/",
  ])("sends a credential to %s", (url) => {
    expect(expandServer(http({ url, tokenEnv: "T" }), { T: "t" })).toMatchObject({ ok: true });
  });

  it.each([
    "http://host/",
    "http://10.0.0.1/",
    "http://localhost.example/",
    "http://127.0.0.1.example/",
    "http://[::ffff:127.0.0.1]/",
    "http://0.0.0.0/",
  ])("sends no credential to %s", (url) => {
    expect(expand(http({ url, tokenEnv: "T" }), { T: "t" })).toEqual(["CREDENTIAL_NEEDS_HTTPS"]);
    expect(expand(http({ url: `${url}?k={env:T}` }), { T: "t" })).toEqual([
      "CREDENTIAL_NEEDS_HTTPS",
    ]);
    expect(expand(http({ url: "{env:U}" }), { U: url })).toEqual(["CREDENTIAL_NEEDS_HTTPS"]);
  });

  it("keeps a value inside the part of the URL that its reference stands in", () => {
    const url = "https://host/a/{env:X}/mcp?k={env:X}#{env:X}";
    expect(expand(http({ url }), { X: "a/../b?c=d&e#f" })).toMatchObject({
      url: "https://host/a/a%2F..%2Fb%3Fc%3Dd%26e%23f/mcp?k=a%2F..%2Fb%3Fc%3Dd%26e%23f#a%2F..%2Fb%3Fc%3Dd%26e%23f",
    });
  });

  it("never lets a value in the path or query change the origin, or the number of parts", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (value) => {
        const expanded = expandServer(http({ url: "https://host/a/{env:X}/b?k={env:X}&l=1" }), {
          X: value,
        });
        const url = new URL(
          expanded.ok && expanded.entry.transport.kind === "http"
            ? expanded.entry.transport.url
            : "https://host/a/x/b?k=1&l=1",
        );
        expect([url.origin, url.pathname.split("/").length, [...url.searchParams.keys()]]).toEqual([
          "https://host",
          4,
          ["k", "l"],
        ]);
      }),
    );
  });

  it.each([
    ["host.example", "https://host.example/mcp"],
    ["host.example:8443", "https://host.example:8443/mcp"],
  ])("takes %s for the host of a URL", (value, url) => {
    expect(expand(http({ url: "https://{env:H}/mcp" }), { H: value })).toMatchObject({ url });
  });

  it.each([
    "evil.example/x",
    "me@evil.example",
    "evil.example?",
    "evil.example#",
    "a\\b",
    "a b",
    "[::1]",
    "evil.example\n",
  ])("refuses %j for the host of a URL", (value) => {
    expect(expand(http({ url: "https://{env:H}.mine.example/mcp" }), { H: value })).toEqual([
      "WRONG_VARIABLE",
    ]);
  });

  it("takes a whole URL from a variable, and the beginning of one", () => {
    expect(expand(http({ url: "{env:U}" }), { U: "https://host/mcp" })).toMatchObject({
      url: "https://host/mcp",
    });
    expect(
      expand(http({ url: "{env:U}/mcp/{env:K}" }), { U: "https://host", K: "a/b" }),
    ).toMatchObject({
      url: "https://host/mcp/a%2Fb",
    });
  });

  it.each([
    ["no address", "host/mcp"],
    ["another scheme", "file:///etc/passwd"],
    ["a password", "https://me:pw@host/"],
  ])("refuses a URL from a variable that is %s", (_, value) => {
    expect(expand(http({ url: "{env:U}" }), { U: value })).toEqual(["WRONG_URL"]);
  });

  it.each(["a\r\nX-Evil: 1", "a\nb", "\u0000", "a\u2028b"])("refuses %j in a header", (value) => {
    expect(expand(http({ headers: { A: "{env:X}" } }), { X: value })).toContain("WRONG_VARIABLE");
    expect(expand(http({ tokenEnv: "X" }), { X: value })).toContain("WRONG_VARIABLE");
  });

  it("refuses two dots as a part of a path", () => {
    expect(expand(http({ url: "https://host/a/{env:X}/b" }), { X: ".." })).toEqual([
      "WRONG_VARIABLE",
    ]);
  });

  it("never shows a value in a problem", () => {
    const secret = "-s3cret\n";
    const entries = [
      stdio({ args: ["{env:X}"] }),
      http({ headers: { A: "{env:X}" } }),
      http({ url: "https://{env:X}/" }),
      http({ url: "{env:X}" }),
    ];
    const problems = entries.map((entry) => expandServer(entry, { X: secret }));
    expect(problems.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(JSON.stringify(problems)).not.toContain("s3cret");
  });

  it("changes neither the entry nor the environment", () => {
    const entry = Object.freeze(
      stdio({ args: Object.freeze(["{env:X}"]), env: Object.freeze({ A: "{env:X}" }) }),
    );
    const before = JSON.stringify(entry);
    expandServer(entry, Object.freeze({ X: "x" }));
    expect(JSON.stringify(entry)).toBe(before);
  });
});
