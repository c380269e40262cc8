import { describe, expect, it } from "vitest";
import { FailedCredentials } from "./failed-credentials.js";

describe("FailedCredentials", () => {
  it("bears ten failures of an address within a minute", () => {
    let now = 0;
    const failures = new FailedCredentials(() => now);
    const waits = Array.from({ length: 12 }, () => {
      now += 1_000;
      return failures.add("a");
    });
    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50, 49]);
  });

  it("forgets after a minute", () => {
    let now = 0;
    const failures = new FailedCredentials(() => now);
    for (let count = 0; count < 20; count += 1) failures.add("a");
    now = 60_000;
    expect(failures.add("a")).toBe(0);
  });

  it("counts each address by itself", () => {
    const failures = new FailedCredentials(() => 0);
    for (let count = 0; count < 20; count += 1) failures.add("a");
    expect(failures.add("b")).toBe(0);
  });

  it("forgets the oldest of more than 10,000 addresses", () => {
    const failures = new FailedCredentials(() => 0);
    for (let count = 0; count < 11; count += 1) failures.add("a");
    for (let count = 0; count < 10_000; count += 1) failures.add(`b${count}`);
    expect(failures.add("a")).toBe(0);
  });
});
