import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url));
const token = "a-token-of-22-letters.";

/** Starts the built program; `text` grows with what it prints. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed.stderr += chunk.toString()));
  return { child, printed, ended: once(child, "close") };
}
async function run(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const { printed, ended } = start(args, env);
  const [code] = await ended;
  return { code: code as number | null, ...printed };
}

describe("example-domain-server", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("serves until %s, and ends with 0", async (signal) => {
    const { child, printed, ended } = start(["--port", "0"]);
    await once(child.stdout, "data");
    const url = / at (\S+)/.exec(printed.stdout)?.[1] ?? "";
    const response = await fetch(url, { method: "GET" });
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(response.status).toBe(405);
    expect(printed).toEqual({
      stdout: `Serving find_models, describe_model without authentication at ${url}\n`,
      stderr: "",
    });
  });

  it("never prints the token", async () => {
    const { child, printed, ended } = start(["--port", "0", "--token-env", "T"], { T: token });
    await once(child.stdout, "data");
    child.kill();
    await ended;
    expect(printed.stdout).toContain("run_simulation behind a token at http://127.0.0.1:");
    expect(printed.stdout + printed.stderr).not.toContain(token);
  });

  it.each([
    {
      args: ["--host", "0.0.0.0"],
      code: 1,
      stderr:
        "example-domain-server: Refused to listen on 0.0.0.0 without a token. Start it with --token-env NAME, or on 127.0.0.1.\n",
    },
    {
      args: ["--port", "http"],
      code: 2,
      stderr: 'example-domain-server: --port must be a number from 0 to 65535; it is "http".\n',
    },
  ])("refuses $args with code $code", async ({ args, code, stderr }) => {
    expect(await run(args)).toEqual({ code, stdout: "", stderr });
  });

  it("says which port is taken", async () => {
    const first = start(["--port", "0"]);
    await once(first.child.stdout, "data");
    const port = /:(\d+)\/mcp/.exec(first.printed.stdout)?.[1] ?? "";
    const second = await run(["--port", port]);
    first.child.kill();
    await first.ended;
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toContain(`Could not listen on 127.0.0.1, port ${port} (EADDRINUSE).`);
  });

  it("shows help and version", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
    expect((await run(["--help"])).stdout).toContain("--token-env NAME");
  });
});
