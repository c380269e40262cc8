import { describe, expect, it } from "vitest";
import type { Listing, ListingKind } from "./listing.js";
import { findPermittedTarget, findRequestTarget, findTargetListing } from "./request-target.js";

const of = (kind: ListingKind, name: string, server = "s"): Listing => ({
  kind,
  server,
  name,
  originalName: name,
  tags: [],
  checkpaths: [],
  raw: {},
});
const readOf = (name: string) => ({ kinds: ["resource", "template"] as const, name });

describe("findRequestTarget()", () => {
  it.each([
    {
      method: "resources/read",
      params: { uri: "x://a" },
      target: { kinds: ["resource", "template"], name: "x://a" },
    },
    {
      method: "resources/subscribe",
      params: { uri: "x://a" },
      target: { kinds: ["resource", "template"], name: "x://a" },
    },
    {
      method: "resources/unsubscribe",
      params: { uri: "x://a" },
      target: { kinds: ["resource", "template"], name: "x://a" },
    },
    { method: "prompts/get", params: { name: "p" }, target: { kinds: ["prompt"], name: "p" } },
    {
      method: "completion/complete",
      params: { ref: { type: "ref/prompt", name: "p" } },
      target: { kinds: ["prompt"], name: "p" },
    },
    {
      method: "completion/complete",
      params: { ref: { type: "ref/resource", uri: "x://{id}" } },
      target: { kinds: ["template", "resource"], name: "x://{id}" },
    },
    { method: "resources/read", params: {}, target: "invalid" },
    { method: "resources/read", params: { uri: ["x://a"] }, target: "invalid" },
    { method: "prompts/get", params: { name: null }, target: "invalid" },
    { method: "completion/complete", params: {}, target: "invalid" },
    { method: "completion/complete", params: { ref: { type: "ref/tool" } }, target: "invalid" },
    { method: "logging/setLevel", params: { level: "debug" }, target: "none" },
    { method: "toString", params: {}, target: "none" },
  ])("finds $target for $method with $params", ({ method, params, target }) => {
    expect(findRequestTarget(method, params)).toEqual(target);
  });
});

describe("findTargetListing()", () => {
  it("prefers the exact name to a template, wherever it stands", () => {
    const listings = [of("template", "x://{id}"), of("resource", "x://a")];
    expect(findTargetListing(listings, readOf("x://a"))).toBe(listings[1]);
    expect(findTargetListing(listings, readOf("x://b"))).toBe(listings[0]);
    expect(findTargetListing(listings, readOf("y://b"))).toBeUndefined();
  });

  it("takes no listing of another kind", () => {
    const listings = [of("tool", "p"), of("resource", "p")];
    expect(findTargetListing(listings, { kinds: ["prompt"], name: "p" })).toBeUndefined();
    expect(
      findTargetListing([of("template", "{x}")], { kinds: ["prompt"], name: "p" }),
    ).toBeUndefined();
  });
});

describe("findPermittedTarget()", () => {
  it("reads no hidden resource through a permitted template that covers it", () => {
    const hidden = of("resource", "file:///secret");
    const template = of("template", "file:///{+path}");
    const all = [hidden, template];
    expect(findPermittedTarget(all, [template], readOf("file:///secret"))).toBeUndefined();
    expect(findPermittedTarget(all, [template], readOf("file:///notes"))).toBe(template);
  });

  it("reads nothing that a hidden template of the same server covers too", () => {
    const wide = of("template", "db://{table}/{id}");
    const narrow = of("template", "db://secrets/{id}");
    const all = [wide, narrow];
    expect(findPermittedTarget(all, [wide], readOf("db://secrets/1"))).toBeUndefined();
    expect(findPermittedTarget(all, [narrow], readOf("db://secrets/1"))).toBeUndefined();
    expect(findPermittedTarget(all, [wide], readOf("db://notes/1"))).toBe(wide);
  });

  it("lets a hidden template of another server that comes later hide nothing", () => {
    const own = of("template", "db://{id}", "a");
    const all = [own, of("template", "{+anything}", "b")];
    expect(findPermittedTarget(all, [own], readOf("db://1"))).toBe(own);
  });

  it("does not answer by another server's listing of a URI whose own listing is hidden", () => {
    const first = of("resource", "x://a", "a");
    const second = of("resource", "x://a", "b");
    expect(findPermittedTarget([first, second], [second], readOf("x://a"))).toBeUndefined();
  });
});
