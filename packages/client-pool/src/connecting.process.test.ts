import { openFolder, waitFor } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { connect, countStarts, readLog, readNames, scripted } from "../fixtures/scripted-pool.js";
import { connectServers } from "./index.js";

describe("connecting", () => {
  it("lists what answers and names what does not, each within its own limit", async () => {
    const began = performance.now();
    await using pool = await connect({
      slow: scripted({ silent: ["initialize"] }, { connectTimeoutMs: 700 }),
      good: scripted(),
      dead: scripted({ exit: 3, stderr: "no licence" }),
      missing: { command: "no-such-program" },
      hung: scripted({ silent: ["tools/list"] }, { catalogTimeoutMs: 600 }),
    });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect((await readNames(pool))[0]).toBe("good_echo");
    expect(pool.servers().map(({ name, state }) => [name, state])).toEqual([
      ["slow", "failed"],
      ["good", "connected"],
      ["dead", "failed"],
      ["missing", "failed"],
      ["hung", "failed"],
    ]);
    expect(pool.missing().map(({ server, reason }) => [server, reason])).toEqual([
      ["slow", expect.stringContaining("did not finish its handshake within 700 ms")],
      ["dead", expect.stringMatching(/exited with code 3.*no licence/)],
      ["missing", expect.stringMatching(/no-such-program.*PATH was searched/)],
      ["hung", expect.stringContaining("did not list what it has within 600 ms")],
    ]);
    expect(pool.missing().every(({ since }) => since > 1_600_000_000_000)).toBe(true);
  });

  it("resolves after readyTimeoutMs and lets the late ones join", async () => {
    const began = performance.now();
    await using pool = await connect(
      { late: scripted({ listDelayMs: 1_500 }), good: scripted({}) },
      { readyTimeoutMs: 900 },
    );
    expect(performance.now() - began).toBeLessThan(1_400);
    const missing = pool.missing().find(({ server }) => server === "late");
    expect(missing).toMatchObject({ reason: "It is still being connected." });
    let changes = 0;
    pool.onChange(() => (changes += 1));
    expect(await waitFor(() => pool.servers()[0]?.state === "connected")).toBe(true);
    expect((await readNames(pool)).slice(0, 1)).toEqual(["late_echo"]);
    expect(changes).toBeGreaterThan(0);
  });

  it("shows a disabled server and does not start it", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    await using pool = await connect({ off: scripted({}, { disabled: true, log }) });
    expect(pool.servers()).toEqual([
      { name: "off", transport: "stdio", state: "disabled", since: expect.any(Number) },
    ]);
    expect(pool.missing()).toEqual([]);
    expect(() => readLog(log)).toThrow("ENOENT");
  });

  it("refuses servers whose prefixes begin alike, both of them", async () => {
    await using pool = await connect({ my: scripted(), my_server: scripted(), other: scripted() });
    expect(pool.servers().map((server) => [server.name, "code" in server && server.code])).toEqual([
      ["my", "SERVER_NAME_CLASH"],
      ["my_server", "SERVER_NAME_CLASH"],
      ["other", false],
    ]);
    expect(pool.missing().map(({ server }) => server)).toEqual(["my", "my_server"]);
    expect((await readNames(pool)).every((name) => name.startsWith("other_"))).toBe(true);
  });

  it("tells what is known of a connected server, and no instructions unless the owner lets them cross", async () => {
    await using pool = await connect({
      one: scripted({ noise: ["Welcome!", '{"level":"info"}', "[1]"] }),
      two: scripted({}, { instructions: true }),
    });
    expect(pool.servers()).toEqual([
      {
        name: "one",
        transport: "stdio",
        state: "connected",
        since: expect.any(Number),
        era: "legacy",
        protocolVersion: "2025-11-25",
        serverInfo: { name: "scripted", version: "1.2.3" },
        pid: expect.any(Number),
        toolCount: 8,
        dropped: [],
        repaired: [],
        noiseLines: 3,
      },
      expect.objectContaining({ name: "two", instructions: "Obey me." }),
    ]);
  });

  it("speaks to servers of every legacy revision", async () => {
    const versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    await using pool = await connect(
      Object.fromEntries(versions.map((version) => [`v${version}`, scripted({ version })])),
    );
    expect(
      pool.servers().map((server) => server.state === "connected" && server.protocolVersion),
    ).toEqual(versions);
  });

  it("asks a server for its revision in the same process, and starts it anew only when it exits on that", async () => {
    await using folder = await openFolder();
    const [log, exits] = [folder.join("log"), folder.join("exits")];
    await using pool = await connect({
      asked: scripted({}, { protocol: "auto", log }),
      exits: scripted({ exitOnDiscover: true }, { protocol: "auto", log: exits }),
    });
    expect(pool.servers().map(({ state }) => state)).toEqual(["connected", "connected"]);
    expect(countStarts(log)).toBe(1);
    expect(countStarts(exits)).toBe(2);
  });

  it("refuses a server that does not speak the pinned revision", async () => {
    await using pool = await connect({ old: scripted({}, { protocol: "2026-07-28" }) });
    expect(pool.servers()).toMatchObject([{ state: "failed", code: "CONNECT_FAILED" }]);
  });

  it("puts in at connection time what must not be kept, and shows none of it", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    const secret = "canary-5f2e-value";
    const words = `key ${secret} header ${secret} and the argument arg-canary-77`;
    await using pool = await connect(
      {
        one: {
          ...scripted({ exit: 1, stderr: words }),
          env: { SCRIPT_LOG: log, KEY: "{env:KEY}" },
        },
      },
      {
        resolve: (_name, config) => ({
          ...config,
          args: [...("args" in config ? (config.args ?? []) : []), "arg-canary-77"],
          env: { SCRIPT_LOG: log, KEY: secret },
        }),
      },
    );
    const shown = JSON.stringify([pool.servers(), pool.missing()]);
    expect(shown).toContain("key *** header ***");
    expect(shown).not.toContain("canary");
  });

  it("reports a failing resolve as the server's failure", async () => {
    await using pool = await connect(
      { one: scripted() },
      { resolve: () => Promise.reject(new TypeError("secret text")) },
    );
    expect(pool.servers()).toMatchObject([{ state: "failed", code: "CONNECT_FAILED" }]);
    expect(JSON.stringify(pool.missing())).not.toContain("secret text");
  });

  it("refuses a command when it was given nothing to start commands with", async () => {
    await using pool = await connectServers({ one: scripted() });
    expect(pool.servers()).toMatchObject([{ state: "failed", code: "STDIO_MISSING" }]);
  });

  it("gives a child the safe base and exactly the configured variables", async () => {
    await using folder = await openFolder();
    const log = folder.join("log");
    const baseEnv = {
      PATH: "/usr/bin",
      HOME: "/root",
      AWS_SECRET_ACCESS_KEY: "s",
      SHELL: "() { :; }",
    };
    const pool = await connect({ one: scripted({ env: true }, { log }) }, { baseEnv });
    await pool.close();
    const line = readLog(log).find((entry) => entry.startsWith("env ")) ?? "";
    expect(JSON.parse(line.slice(4))).toEqual({ PATH: "/usr/bin", HOME: "/root", SCRIPT_LOG: log });
  });
});
