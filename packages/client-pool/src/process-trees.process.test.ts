import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bundleSource, findProcesses, openFolder, peerServer, waitFor } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { connect } from "../fixtures/scripted-pool.js";
import type { ServerConfig } from "./index.js";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

const newMarker = (): string => `postern-pool-${process.pid}-${Math.random()}`;

/** Behind a shell, as package runners start servers. */
const stubborn = (marker: string): ServerConfig => ({
  command: "sh",
  args: ["-c", 'sh "$0"; exit 0', fixture("stubborn-server.sh")],
  env: { MARKER: marker },
});

const many = (marker: string, count: number): Readonly<Record<string, ServerConfig>> =>
  Object.fromEntries(Array.from({ length: count }, (_value, at) => [`s${at}`, stubborn(marker)]));

describe("closing", () => {
  it("leaves no process of 100 stubborn servers behind a shell", { timeout: 120_000 }, async () => {
    const marker = newMarker();
    const states = new Set<string>();
    let started = 0;
    for (let round = 0; round < 5; round += 1) {
      const pool = await connect(many(marker, 20));
      for (const { state } of pool.servers()) states.add(state);
      started += findProcesses(marker).length;
      await pool.close();
      expect(findProcesses(marker)).toEqual([]);
    }
    expect([...states]).toEqual(["connected"]);
    expect(started).toBeGreaterThanOrEqual(300);
  });

  it("ends a server whose handshake is still under way", async () => {
    const marker = newMarker();
    const hung = { command: "sh", args: ["-c", "sleep 1000; exit 0"], env: { MARKER: marker } };
    const pool = await connect({ hung }, { readyTimeoutMs: 100 });
    expect(findProcesses(marker)).not.toEqual([]);
    await pool.close();
    expect(findProcesses(marker)).toEqual([]);
  });

  it("leaves nothing of a server behind npx", async () => {
    const marker = newMarker();
    const { args } = peerServer("memory");
    const npx = { command: "npx", args: ["-c", `node ${args.join(" ")}`], env: { MARKER: marker } };
    const pool = await connect({ npx });
    expect(pool.servers()).toMatchObject([{ state: "connected" }]);
    await pool.close();
    expect(findProcesses(marker)).toEqual([]);
  });
});

describe("the death of the host", () => {
  it("ends every server of it within 5 seconds", { timeout: 120_000 }, async () => {
    await using folder = await openFolder();
    const bundle = await bundleSource(fixture("stubborn-host.ts"), folder.path);
    const marker = newMarker();
    const servers = {
      ...many(marker, 5),
      memory: { ...peerServer("memory"), env: { MARKER: marker } },
    };
    using host = spawn(process.execPath, [bundle, JSON.stringify(servers)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [states] = (await once(host.stdout, "data")) as [Buffer];
    expect(states.toString().trim()).toBe(Array.from({ length: 6 }, () => "connected").join());
    const children = (): readonly number[] =>
      findProcesses(marker).filter((pid) => pid !== host.pid);
    expect(children().length).toBeGreaterThanOrEqual(16);
    host.kill("SIGKILL");
    expect(await waitFor(() => children().length === 0, 5_000)).toBe(true);
  });
});
