import type { Listing } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { createCatalogue, emptyCatalogue, type Catalogue } from "./catalogue.js";
import { findListedKind } from "./listed-kinds.js";

const listed = findListedKind("tool");
const owner = { server: "s", prefix: "s_", bundled: false, headers: false };
const schema = { type: "object" };

const read = (items: readonly unknown[], last: Catalogue = emptyCatalogue, more = {}): Catalogue =>
  createCatalogue({ items }, { ...owner, ...more }, { listed, last });

const only = (item: object, more = {}): Listing | undefined =>
  read([{ name: "t", inputSchema: schema, ...item }], emptyCatalogue, more).listings[0];

describe("a listing", () => {
  it("keeps the server's own object, frozen through and through", () => {
    const raw = {
      name: "t",
      inputSchema: { type: "object", $defs: { a: [{ b: 1 }] }, "x-vendor": 1 },
      vendor: { keep: [1] },
    };
    const listing = read([raw]).listings[0];
    expect(listing?.raw).toBe(raw);
    expect([raw, raw.inputSchema.$defs.a[0], raw.vendor.keep].every(Object.isFrozen)).toBe(true);
    expect(listing).toEqual({
      kind: "tool",
      server: "s",
      name: "s_t",
      originalName: "t",
      tags: [],
      checkpaths: [],
      raw,
    });
  });

  it("has the tags and path arguments of its _meta only", () => {
    const meta = { "dev.postern/tags": ["web", "bundled", 7], checkpaths: ["path"] };
    expect(only({ _meta: meta, tags: ["no"] })).toMatchObject({
      tags: ["web"],
      checkpaths: ["path"],
    });
    expect(only({ _meta: meta }, { bundled: true })).toMatchObject({ tags: ["web", "bundled"] });
  });

  it("has hints only where they are booleans, also in what is passed on", () => {
    const annotations = { readOnlyHint: "true", destructiveHint: false, title: 7, vendor: 1 };
    const listing = only({ annotations });
    expect(listing?.annotations).toEqual({ destructiveHint: false });
    expect(listing?.raw["annotations"]).toEqual({ destructiveHint: false, vendor: 1 });
    expect(only({ annotations: { readOnlyHint: 1 } })).not.toHaveProperty("annotations");
    expect(only({})).not.toHaveProperty("annotations");
  });

  it.each(["true", "false", 1, 0, null, {}, []])(
    "counts as destructive where it says %j of that",
    (destructiveHint) => {
      const listing = only({ annotations: { readOnlyHint: true, destructiveHint } });
      const hints = { readOnlyHint: true, destructiveHint: true };
      expect([listing?.annotations, listing?.raw["annotations"]]).toEqual([hints, hints]);
    },
  );

  it("is mended where a member of a wrong type would cost a client the whole list", () => {
    const catalogue = read([
      {
        name: "t",
        title: null,
        description: 7,
        outputSchema: true,
        annotations: [],
        inputSchema: { properties: {} },
      },
    ]);
    expect(catalogue.listings[0]?.raw).toEqual({
      name: "t",
      inputSchema: { type: "object", properties: {} },
    });
    expect(catalogue.repaired.map(({ problem }) => problem.split(" ")[1])).toEqual([
      "title",
      "description",
      "outputSchema",
      "annotations",
      "inputSchema",
    ]);
  });

  it("is dropped where nothing can be mended", () => {
    const items = [
      null,
      "t",
      {},
      { name: "" },
      { name: "a" },
      { name: "b", inputSchema: false },
      { name: "c", inputSchema: [] },
      { name: "d", inputSchema: { type: "string" } },
      { name: "e", inputSchema: { type: ["object"] } },
      { name: "n".repeat(500) },
    ];
    const catalogue = read(items);
    expect(catalogue.listings).toEqual([]);
    expect(catalogue.dropped).toHaveLength(items.length);
    expect(catalogue.dropped.at(-1)?.name).toHaveLength(100);
  });

  it("is dropped when it is nested beyond what can be written", () => {
    // Without end: how deep JSON can go differs by Node release.
    const deep: Record<string, unknown> = {};
    deep["a"] = deep;
    const catalogue = read([
      { name: "deep", inputSchema: schema, deep },
      { name: "t", inputSchema: schema },
    ]);
    expect(catalogue.listings.map(({ name }) => name)).toEqual(["s_t"]);
    expect(catalogue.dropped).toMatchObject([{ name: "deep", problem: "it is nested too deeply" }]);
  });
});

const tools = () => [
  { name: "a", inputSchema: schema },
  { name: "b", inputSchema: schema, description: "B" },
];

describe("reading again", () => {
  it("gives the last catalogue when nothing changed", () => {
    const first = read(tools());
    expect(read(tools(), first)).toBe(first);
  });

  it("keeps the listings that did not change", () => {
    const first = read(tools());
    const [a, b] = tools();
    const second = read([{ ...b, description: "other" }, a], first);
    expect(second.listings.map(({ name }) => name)).toEqual(["s_b", "s_a"]);
    expect(second.listings[1]).toBe(first.listings[0]);
    expect(second.listings[0]).not.toBe(first.listings[1]);
  });
});

describe("other kinds", () => {
  it("are named as the server names them, prompts with the prefix", () => {
    const names = (["prompt", "resource", "template"] as const).map((kind) => {
      const items = [{ name: "p", uri: "a://b", uriTemplate: "a://{b}" }];
      return createCatalogue({ items }, owner, {
        listed: findListedKind(kind),
        last: emptyCatalogue,
      }).listings[0]?.name;
    });
    expect(names).toEqual(["s_p", "a://b", "a://{b}"]);
  });

  it("get the name that the protocol asks for", () => {
    const reading = { listed: findListedKind("resource"), last: emptyCatalogue };
    const catalogue = createCatalogue({ items: [{ uri: "a://b" }, { name: "x" }] }, owner, reading);
    expect(catalogue.listings[0]?.raw).toEqual({ uri: "a://b", name: "a://b" });
    expect(catalogue.dropped).toMatchObject([{ problem: "its uri is missing or not text" }]);
  });
});
