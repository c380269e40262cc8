import { createCallContext, isInputRequired, type ToolResult } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { domainTools } from "./domain-tools.js";

async function run(
  name: string,
  args: Readonly<Record<string, string | number>>,
  signal?: AbortSignal,
) {
  const context = createCallContext(signal === undefined ? {} : { signal });
  const tools = domainTools({ code: true });
  const outcome = await tools.call({ name, arguments: args, context });
  if (isInputRequired(outcome)) throw outcome;
  return outcome;
}
const data = ({ structuredContent }: ToolResult) => structuredContent;

const names = async (code: boolean) => (await domainTools({ code }).list()).map(({ name }) => name);
const simulateAt = async (currentPicoamperes: number) =>
  data(await run("run_simulation", { id: "EX002", currentPicoamperes, durationMs: 200 }));

describe("domainTools()", () => {
  it("holds tools that run code only when asked to", async () => {
    expect(await names(false)).toEqual(["find_models", "describe_model"]);
    expect(await names(true)).toEqual(["find_models", "describe_model", "run_simulation"]);
  });

  it("tags and annotates every tool: what runs code is never read-only", async () => {
    for (const { tags, annotations } of await domainTools({ code: true }).list()) {
      expect(tags).toContain("neuroml");
      expect(annotations?.readOnlyHint).toBe(!tags.includes("code"));
    }
  });
});

describe("find_models", () => {
  it.each([
    { query: "", ids: ["EX001", "EX002", "EX003"] },
    { query: "CELL cortex", ids: ["EX002"] },
    { query: "cortex hippocampus", ids: [] },
  ])("finds $ids by $query", async ({ query, ids }) => {
    const { models } = data(await run("find_models", { query })) as {
      readonly models: readonly { readonly id: string }[];
    };
    expect(models.map(({ id }) => id)).toEqual(ids);
  });
});

describe("describe_model", () => {
  it("gives the figures, and the current at which it begins to fire", async () => {
    expect(data(await run("describe_model", { id: "EX002" }))).toEqual({
      id: "EX002",
      name: "Pyramidal cell of layer 5",
      timeConstantMs: 20,
      resistanceMegaohms: 60,
      thresholdMillivolts: -50,
      restMillivolts: -68,
      leastCurrentPicoamperes: 300,
    });
  });

  it("refuses an id that no model has", async () => {
    expect(data(await run("describe_model", { id: "EX999" }))).toEqual({
      error: "UNKNOWN_MODEL",
      message: 'No model has the id "EX999". Find ids with find_models.',
      id: "EX999",
    });
  });
});

describe("run_simulation", () => {
  it("fires above the least current, and not below", async () => {
    expect(await simulateAt(290)).toEqual({ spikeCount: 0, firstSpikesMs: [] });
    expect(await simulateAt(600)).toMatchObject({ spikeCount: 14 });
  });

  it("stops when the caller has gone", async () => {
    const long = { id: "EX001", currentPicoamperes: 50, durationMs: 60_000 };
    expect(data(await run("run_simulation", long, AbortSignal.abort()))).toMatchObject({
      error: "INTERNAL_ERROR",
    });
  });
});
