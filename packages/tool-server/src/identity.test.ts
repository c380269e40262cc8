import { describe, expect, it } from "vitest";
import { createReporter } from "./identity.js";

describe("createReporter", () => {
  it("tells an error that comes by two ways once", () => {
    const told: unknown[] = [];
    const report = createReporter((error) => told.push(error));
    const error = new TypeError("x");
    report(error);
    report(error);
    report("text");
    report("text");
    expect(told).toEqual([error, "text", "text"]);
  });

  it("drops what the owner's function throws, and is silent without one", () => {
    const report = createReporter(() => {
      throw new TypeError("reporter");
    });
    expect([report(1), createReporter(undefined)(1)]).toEqual([undefined, undefined]);
  });
});
