import {
  createCallContext,
  isInputRequired,
  restrict,
  textResult,
  type CallOutcome,
  type Listing,
  type ToolAnnotations,
  type ToolCall,
  type ToolRule,
  type ToolSet,
} from "@postern/tool";
import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { allOf, byAccess, byName, byServer, byTags, checkToolKeys, permitted } from "./index.js";
import type { DeclaredAccess } from "./index.js";

const runs = { numRuns: 1_000 };
const names = ["a", "b", "a_b", "b_a", "x", "constructor", "__proto__"];
const tags = ["web", "local", "code", "files", "bundled"];

const listings = fc.uniqueArray(
  fc.record({
    kind: fc.constant("tool" as const),
    server: fc.constantFrom("a", "b", "a_b", ""),
    originalName: fc.constantFrom(...names),
    tags: fc.uniqueArray(fc.constantFrom(...tags)),
    annotations: fc.option(
      fc.record(
        {
          readOnlyHint: fc.constantFrom<unknown>(true, false, "true", 1, null),
          destructiveHint: fc.constantFrom<unknown>(true, false, "false", 0, null),
        },
        { requiredKeys: [] },
      ),
      { nil: undefined },
    ),
  }),
  { selector: ({ server, originalName }) => `${server}_${originalName}`, maxLength: 12 },
);
type Drawn = typeof listings extends fc.Arbitrary<infer Value> ? Value : never;

const toListings = (drawn: Drawn): readonly Listing[] =>
  Object.freeze(
    drawn.map(({ annotations, ...listing }) => ({
      ...listing,
      name: `${listing.server}_${listing.originalName}`,
      checkpaths: [],
      ...(annotations === undefined ? {} : { annotations: annotations as ToolAnnotations }),
      raw: {},
    })),
  );

const key = fc
  .tuple(fc.constantFrom("a", "b", "a_b"), fc.constantFrom("_", "/"), fc.constantFrom(...names))
  .map((parts) => parts.join(""));
const tagList = fc.uniqueArray(fc.constantFrom(...tags), { minLength: 1, maxLength: 3 });
const declared = fc.dictionary(
  key,
  fc.record({ readOnly: fc.boolean(), destructive: fc.boolean() }, { requiredKeys: [] }),
);
const leaf: fc.Arbitrary<ToolRule> = fc.oneof(
  fc.record({ include: tagList, exclude: tagList }, { requiredKeys: [] }).map(byTags),
  fc
    .tuple(fc.constantFrom("full" as const, "read_only" as const), declared)
    .map(([level, access]) => byAccess(level, access)),
  fc.record({ allow: fc.array(key), deny: fc.array(key) }, { requiredKeys: [] }).map(byName),
);
const rule: fc.Arbitrary<ToolRule> = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }).map((rules) => allOf(...rules)),
  fc.dictionary(fc.constantFrom("a", "b", ""), leaf).map((rules) => byServer(rules)),
);

/** A set that answers whatever reaches it, and remembers what did. */
function countingSet(all: readonly Listing[]): {
  readonly set: ToolSet;
  readonly seen: ToolCall[];
} {
  const seen: ToolCall[] = [];
  const set: ToolSet = {
    list: () => Promise.resolve(all),
    call: (call) => {
      seen.push(call);
      return Promise.resolve(textResult("done"));
    },
    restrict: (narrower) => restrict(set, narrower),
    missing: () => [],
    onChange: () => ({ [Symbol.dispose]: () => undefined }),
  };
  return { set, seen };
}

const isRefused = (outcome: CallOutcome): boolean =>
  !isInputRequired(outcome) && outcome.isError === true;

describe("restrict() with any rules", () => {
  it("lets the inner set see no call to a hidden name, and every call to a listed one", async () => {
    await fc.assert(
      fc.asyncProperty(
        listings,
        fc.array(rule, { minLength: 1, maxLength: 4 }),
        async (drawn, rules) => {
          const all = toListings(drawn);
          const { set, seen } = countingSet(all);
          const view = rules.reduce<ToolSet>((narrowed, each) => narrowed.restrict(each), set);
          const listed = new Set((await view.list()).map(({ name }) => name));
          const context = createCallContext();
          for (const name of [...all.map((listing) => listing.name), "unknown", ...names]) {
            const outcome = await view.call({ name, arguments: {}, context });
            expect(isRefused(outcome)).toBe(!listed.has(name));
          }
          expect(seen.every((call) => listed.has(call.name))).toBe(true);
          expect(new Set(seen.map(({ name }) => name))).toEqual(listed);
        },
      ),
      runs,
    );
  });

  it("never widens, and the order of rules does not matter", async () => {
    await fc.assert(
      fc.asyncProperty(
        listings,
        fc.array(rule, { minLength: 1, maxLength: 4 }),
        async (drawn, rules) => {
          const { set } = countingSet(toListings(drawn));
          let view: ToolSet = set;
          let before = await set.list();
          for (const each of rules) {
            view = view.restrict(each);
            const after = await view.list();
            expect(before).toEqual(expect.arrayContaining([...after]));
            before = after;
          }
          const reversed = rules.toReversed().reduce<ToolSet>((inner, r) => inner.restrict(r), set);
          expect(await reversed.list()).toEqual(before);
          expect(await set.restrict(allOf(...rules)).list()).toEqual(before);
        },
      ),
      runs,
    );
  });

  it("asked twice, decides the same", () => {
    fc.assert(
      fc.property(listings, rule, (drawn, each) => {
        for (const listing of toListings(drawn)) expect(each(listing)).toEqual(each(listing));
      }),
      runs,
    );
  });
});

describe("each rule, whatever is drawn", () => {
  it("hides what carries an excluded tag, also when it is included", () => {
    fc.assert(
      fc.property(listings, tagList, tagList, (drawn, include, exclude) => {
        for (const { tags: own } of permitted(toListings(drawn), byTags({ include, exclude }))) {
          expect(own.some((tag) => exclude.includes(tag))).toBe(false);
          expect(own.some((tag) => include.includes(tag))).toBe(true);
        }
      }),
      runs,
    );
  });

  it("admits under read_only nothing that is not exactly read-only, unless the owner declared it", () => {
    fc.assert(
      fc.property(listings, declared, (drawn, access) => {
        for (const listing of permitted(toListings(drawn), byAccess("read_only", access))) {
          const said = [listing.name, `${listing.server}/${listing.originalName}`]
            .filter((spelling) => Object.hasOwn(access, spelling))
            .map((spelling): DeclaredAccess => access[spelling] ?? {});
          const { readOnlyHint, destructiveHint } = listing.annotations ?? {};
          const readOnly = said.some((word) => word.readOnly === true) || readOnlyHint === true;
          const harmless =
            said.some((word) => word.destructive === false) || !(destructiveHint ?? false);
          expect(said.some((word) => word.readOnly === false || word.destructive === true)).toBe(
            false,
          );
          expect(readOnly && harmless).toBe(true);
        }
      }),
      runs,
    );
  });

  it("admits under read_only what full admits, never more", () => {
    fc.assert(
      fc.property(listings, declared, (drawn, access) => {
        const all = toListings(drawn);
        expect(permitted(all, byAccess("full", access))).toEqual(all);
        expect(all).toEqual(
          expect.arrayContaining([...permitted(all, byAccess("read_only", access))]),
        );
      }),
      runs,
    );
  });

  it("exposes exactly one tool by a key that checkToolKeys finds no fault with", () => {
    fc.assert(
      fc.property(listings, key, (drawn, each) => {
        const all = toListings(drawn);
        const problem = checkToolKeys([each], all)[0]?.problem;
        const count = permitted(all, byName({ allow: [each] })).length;
        expect(problem).toBe(
          count === 1 ? undefined : count === 0 ? "matches_nothing" : "matches_two",
        );
      }),
      runs,
    );
  });
});
