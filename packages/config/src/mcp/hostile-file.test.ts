import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { parsePosternConfig } from "../project/parse-postern-config.js";
import { parseMcpConfig } from "./parse-mcp-config.js";

/** The beginning of another program's reference, without its end. */
const foreign = ["$", "{input:"].join("");

/** Parts of a long document, with commas between. */
function repeated(count: number, toPart: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => toPart(index)).join(",");
}

const inServer = (entry: string): string => `{"mcpServers":{"s":{${entry}}}}`;

describe("parseMcpConfig()", () => {
  it.each([
    ["unknown keys", `{${repeated(15_000, (index) => `"k${index}x":1`)}}`],
    [
      "servers at fault",
      `{"mcpServers":{${repeated(10_000, (index) => `"s${index}":{"url":""}`)}}}`,
    ],
    [
      "clashing servers",
      `{"mcpServers":{${repeated(8_000, (index) => `"a_${index}":{"command":"x"}`)},"a":{"command":"x"}}}`,
    ],
    [
      "look-alikes",
      inServer(`"command":"x","env":{${repeated(15_000, (index) => `"v${index}":"{env:"`)}}`),
    ],
    [
      "references of others",
      inServer(`"command":"x","env":{${repeated(15_000, (index) => `"v${index}":"\${X}"`)}}`),
    ],
    [
      "headers",
      inServer(`"url":"https://h","headers":{${repeated(15_000, (index) => `"v${index}":"x"`)}}`),
    ],
    ["beginnings of references", inServer(`"command":"x","args":["${foreign.repeat(30_000)}"]`)],
    [
      "programs as arguments",
      inServer(`"command":"npm","args":[${repeated(25_000, () => '"-o","npm"')}]`),
    ],
  ])("reads a long list of %s without taking long", (_, text) => {
    const started = performance.now();
    expect(parseMcpConfig(text, "f")).toHaveProperty("ok");
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it("never shows a value of the file in a problem or a warning", () => {
    const secret = "hunter2-hunter2";
    const value = fc.constantFrom(secret, [secret], { a: secret }, 1, null);
    const keys = [
      "type",
      "protocol",
      "command",
      "args",
      "env",
      "url",
      "headers",
      "token_env",
      "cwd",
      "prefix",
      "include_tags",
      "extra",
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys.slice(2)), value), (entry) => {
        const parsed = parseMcpConfig(JSON.stringify({ mcpServers: { s: entry } }), "f");
        const told = parsed.ok ? [parsed.warnings, parsed.value.broken] : parsed.problems;
        expect(JSON.stringify(told)).not.toContain(secret);
      }),
    );
  });

  it("gives an entry or its problems for every server, whatever is in it", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (mcpServers) => {
        const parsed = parseMcpConfig(JSON.stringify({ mcpServers }), "f");
        const names = parsed.ok
          ? [...Object.keys(parsed.value.servers), ...parsed.value.broken.map(({ name }) => name)]
          : [];
        expect(names.toSorted()).toEqual(Object.keys(mcpServers).toSorted());
      }),
    );
  });
});

describe("parsePosternConfig()", () => {
  it.each([
    ["unknown keys", `{${repeated(15_000, (index) => `"k${index}x":1`)}}`],
    ["domains", `{"domains":{${repeated(15_000, (index) => `"d${index}":{}`)}}}`],
    [
      "servers",
      `{"domains":{"d":{"mcp_servers":{${repeated(10_000, (index) => `"a_${index}":{"use":"x"}`)}}}}}`,
    ],
    [
      "tools",
      `{"general":{"tool_access":{${repeated(15_000, (index) => `"t${index}":{"x":1}`)}}}}`,
    ],
  ])("reads a long list of %s without taking long", (_, text) => {
    const started = performance.now();
    expect(parsePosternConfig(text, "f")).toHaveProperty("ok");
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
