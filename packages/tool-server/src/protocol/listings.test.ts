import { describe, expect, it } from "vitest";
import { createListing, createToolListing } from "../../fixtures/sample-source.js";
import { readCatalogue } from "./listings.js";

describe("readCatalogue", () => {
  it("renders one array once, and gives the same bytes for as long as it lives", () => {
    const listings = [createToolListing("b"), createToolListing("a")];
    const first = readCatalogue(listings);
    expect([readCatalogue(listings) === first, first.wire.tool.map(({ name }) => name)]).toEqual([
      true,
      ["b", "a"],
    ]);
  });

  it("keeps what the server wrote, under the exposed name", () => {
    const raw = {
      name: "read",
      title: "Read",
      description: "Reads.",
      inputSchema: { type: "object", $defs: { a: {} } },
      outputSchema: { type: "string" },
      annotations: { readOnlyHint: true },
      icons: [{ src: "data:," }],
      execution: { taskSupport: "optional" },
      vendor: { x: [1] },
    };
    const [wire] = readCatalogue([createListing("tool", raw, { name: "files_read" })]).wire.tool;
    expect(wire).toEqual({ ...raw, name: "files_read" });
  });

  it("takes out reserved keys in any letter case, and writes its own", () => {
    const raw = {
      name: "t",
      inputSchema: {},
      _meta: { "DEV.postern/tags": ["x"], "dev.postern/granted": 1, other: true },
    };
    const listing = createListing("tool", raw, { tags: ["a"], checkpaths: ["path"] });
    expect(readCatalogue([listing]).wire.tool[0]?.["_meta"]).toEqual({
      other: true,
      "dev.postern/tags": ["a"],
      "dev.postern/checkpaths": ["path"],
    });
  });

  it("has no `_meta` where nothing is left of it", () => {
    const listing = createToolListing("t", { _meta: { "dev.postern/tags": ["forged"] } });
    expect(readCatalogue([listing]).wire.tool[0]).not.toHaveProperty("_meta");
  });

  it("gives a tool without an object schema one, for a client would drop the whole list", () => {
    const listing = createToolListing("t", { inputSchema: true });
    expect(readCatalogue([listing]).wire.tool[0]?.["inputSchema"]).toEqual({ type: "object" });
  });

  it("lists a name once", () => {
    const listings = [
      createToolListing("t", { title: "1" }),
      createToolListing("t", { title: "2" }),
    ];
    expect(readCatalogue(listings).wire.tool.map(({ title }) => title)).toEqual(["1"]);
  });

  it("names each kind by its own member", () => {
    const { wire } = readCatalogue([
      createListing("prompt", { name: "p" }, { name: "s_p" }),
      createListing("resource", { uri: "a://b", name: "r" }),
      createListing("template", { uriTemplate: "a://{b}", name: "t" }),
    ]);
    expect([wire.prompt, wire.resource, wire.template]).toEqual([
      [{ name: "s_p" }],
      [{ uri: "a://b", name: "r" }],
      [{ uriTemplate: "a://{b}", name: "t" }],
    ]);
  });
});
