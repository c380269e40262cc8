import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createDefaultBackend } from "./default-backend.js";
import { createRipgrepBackend } from "./ripgrep-backend.js";
import { searchBackendContract } from "./search-backend-contract.js";
import { createWalkerBackend } from "./walker-backend.js";

const folder = mkdtempSync(join(tmpdir(), "backend-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([createRipgrepBackend(), createWalkerBackend(), createDefaultBackend()])(
  "the backend $name",
  (backend) => {
    const cases = searchBackendContract({ backend, folder: join(folder, backend.name) });
    it.each(cases)("$name", async (each) => {
      await expect(each.run()).resolves.toBeUndefined();
    });
  },
);
