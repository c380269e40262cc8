import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { findProcesses, openFolder, waitFor } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { createMarker, runCommand, runCommandIn } from "../../fixtures/command.js";

describe("a command whose time is up", () => {
  it("leaves none of 200 sleepers", async () => {
    const marker = createMarker();
    const command = "for i in $(seq 200); do sleep 1000 & done; echo started; wait";
    expect(await runCommand({ command, timeout_seconds: 6 }, { marker })).toMatchObject({
      code: "COMMAND_TIMEOUT",
      stdout: "started\n",
      background: [],
    });
    expect(findProcesses(marker)).toEqual([]);
  });

  it("is killed three seconds later when it ignores SIGTERM, and what it printed then is kept", async () => {
    const marker = createMarker();
    const command = "trap 'echo no' TERM; echo ready; while :; do sleep 0.1; done";
    const from = performance.now();
    expect(await runCommand({ command, timeout_seconds: 1 }, { marker })).toMatchObject({
      code: "COMMAND_TIMEOUT",
      signal: "SIGKILL",
      stdout: "ready\nno\n",
    });
    expect(performance.now() - from).toBeGreaterThan(3_900);
    expect(findProcesses(marker)).toEqual([]);
  });

  it("takes along what left its group, and what also lost its parent", async () => {
    const marker = createMarker();
    const command =
      "setsid sleep 1000 & (setsid sh -c 'sleep 1000; exit' >/dev/null 2>&1 &); sleep 1000";
    expect(await runCommand({ command, timeout_seconds: 1 }, { marker })).toMatchObject({
      code: "COMMAND_TIMEOUT",
      background: [],
    });
    expect(findProcesses(marker)).toEqual([]);
  });
});

describe("a command whose caller gives up", () => {
  it("is ended with all that it started", async () => {
    await using folder = await openFolder();
    const marker = createMarker();
    const ending = new AbortController();
    const command = "trap 'echo bye; exit' TERM; setsid sleep 1000 & touch ready; wait";
    const context = { signal: ending.signal };
    const answer = runCommandIn(folder, { command, timeout_seconds: 5 }, { marker, context });
    expect(await waitFor(() => existsSync(folder.join("ready")))).toBe(true);
    // By now the call surely waits for the command, and has not just started it.
    await sleep(300);
    ending.abort();
    expect(await answer).toMatchObject({ code: "CANCELLED", isError: true, stdout: "bye\n" });
    expect(findProcesses(marker)).toEqual([]);
  });

  it("leaves nothing in the background when that is just after its shell ended", async () => {
    const marker = createMarker();
    const ending = new AbortController();
    const context = { signal: ending.signal };
    const answer = runCommand({ command: "yes & sleep 0.2" }, { marker, context });
    await sleep(500);
    ending.abort();
    expect(await answer).toMatchObject({ code: "CANCELLED" });
    expect(findProcesses(marker)).toEqual([]);
  });
});

describe("many commands at once", () => {
  it("each get their own answer", async () => {
    await using folder = await openFolder();
    const numbers = Array.from({ length: 100 }, (_, at) => at);
    const answers = await Promise.all(
      numbers.map((at) => runCommandIn(folder, { command: `echo ${at}; exit ${at}` })),
    );
    expect(answers.map(({ stdout, returncode }) => [stdout, returncode])).toEqual(
      numbers.map((at) => [`${at}\n`, at]),
    );
  });
});
