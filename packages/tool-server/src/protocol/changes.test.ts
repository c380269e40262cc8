import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SampleSource } from "../../fixtures/sample-source.js";
import { createChangeWatch } from "./changes.js";

describe("createChangeWatch", () => {
  it("tells of each list once for a burst of changes", async () => {
    const source = new SampleSource();
    const told: string[] = [];
    const watch = createChangeWatch(source, (changed) => told.push(changed));
    for (let count = 0; count < 100; count += 1) source.emit(["tool", "resource", "template"]);
    await sleep(120);
    watch[Symbol.dispose]();
    expect(told).toEqual(["tools", "resources"]);
  });

  it("tells again of a later change", async () => {
    const source = new SampleSource();
    const told: string[] = [];
    const watch = createChangeWatch(source, (changed) => told.push(changed));
    source.emit(["prompt"]);
    await sleep(120);
    source.emit(["prompt"]);
    await sleep(120);
    watch[Symbol.dispose]();
    expect(told).toEqual(["prompts", "prompts"]);
  });

  it("tells nothing once disposed, not even what was gathered", async () => {
    const source = new SampleSource();
    const told: string[] = [];
    const watch = createChangeWatch(source, (changed) => told.push(changed));
    source.emit(["tool"]);
    watch[Symbol.dispose]();
    source.emit(["tool"]);
    await sleep(120);
    expect([told, source.listenerCount]).toEqual([[], 0]);
  });
});
