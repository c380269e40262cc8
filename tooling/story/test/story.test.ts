import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const story = new URL("../story.mjs", import.meta.url).pathname;

test("the story holds from its beginning to its end, with a home of its own", async () => {
  const home = await mkdtemp(join(tmpdir(), "story-home-"));
  try {
    const env = { ...process.env, HOME: home };
    const { stdout } = await promisify(execFile)(process.execPath, [story], { env });
    expect(stdout).not.toContain("does not hold");
    expect(stdout).toMatch(/Refused, outside the root.* PATH_DENIED/);
    expect(stdout).toMatch(/Told in \d+\.\d s\.\n$/);
  } finally {
    await rm(home, { recursive: true });
  }
});
