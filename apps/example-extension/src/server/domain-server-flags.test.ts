import { describe, expect, it } from "vitest";
import { parseDomainServerFlags } from "./domain-server-flags.js";

const token = "a-token-of-22-letters.";
const env = Object.freeze({
  DOMAIN_TOKEN: token,
  SHORT: "sk-short",
  EMPTY: "",
  SPACED: `${token} x`,
});

describe("parseDomainServerFlags()", () => {
  it("serves on loopback, port 8542, without a token, unless told otherwise", () => {
    expect(parseDomainServerFlags([], env)).toEqual({
      kind: "serve",
      flags: { host: "127.0.0.1", port: 8542, token: undefined },
    });
  });

  it("takes every flag", () => {
    const args = ["--port", "0", "--host=::1", "--token-env", "DOMAIN_TOKEN"];
    expect(parseDomainServerFlags(args, env)).toEqual({
      kind: "serve",
      flags: { host: "::1", port: 0, token },
    });
  });

  it.each([
    { args: ["--help"], kind: "help" },
    { args: ["--version"], kind: "version" },
    { args: ["--port", "http"], kind: "problem" },
    { args: ["--port", "65536"], kind: "problem" },
    { args: ["--port", "1e3"], kind: "problem" },
    { args: ["--port"], kind: "problem" },
    { args: ["--host", ""], kind: "problem" },
    { args: ["--prot", "1"], kind: "problem" },
    { args: ["stray"], kind: "problem" },
    { args: ["--token-env", "MISSING"], kind: "problem" },
    { args: ["--token-env", "EMPTY"], kind: "problem" },
    { args: ["--token-env", "SHORT"], kind: "problem" },
    { args: ["--token-env", "SPACED"], kind: "problem" },
    { args: ["--token-env", "toString"], kind: "problem" },
  ])("takes $args for $kind", ({ args, kind }) => {
    expect(parseDomainServerFlags(args, env).kind).toBe(kind);
  });

  it("names the variable of a token that cannot be used, and never its value", () => {
    const problem = JSON.stringify(parseDomainServerFlags(["--token-env", "SHORT"], env));
    expect(problem).toContain("SHORT");
    expect(problem).not.toContain("sk-short");
  });
});
