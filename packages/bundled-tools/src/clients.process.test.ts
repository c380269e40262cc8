import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir } from "node:fs/promises";
import { bundleSource, openFolder, waitFor, type Folder } from "@postern/test-kit";
import type { JsonObject } from "@postern/tool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientKinds,
  connectClient,
  type ClientTarget,
  type TestClient,
} from "../fixtures/clients.js";
import { toolNotes } from "../fixtures/tool-notes.js";
import { writeFiles } from "../fixtures/tools-page/run-example.js";
import { bundledTools } from "./bundled-tools.js";

const names = bundledTools({ root: "/" }).map(({ listing }) => listing.name);
const calls = names.flatMap((name) => {
  const note = toolNotes[name];
  return note === undefined ? [] : [{ name, ...note }];
});
const allowRoot = { POSTERN_ALLOW_ROOT_TOOLS: "1" };
const opened: AsyncDisposable[] = [];
let built: Folder;
let program: string;

beforeAll(async () => {
  built = await openFolder();
  const manifest = new URL("../package.json", import.meta.url);
  await mkdir(built.join("dist"));
  for (const folder of [".", "dist"]) await copyFile(manifest, built.join(folder, "package.json"));
  program = await bundleSource(new URL("./bin.ts", import.meta.url).pathname, built.join("dist"));
}, 60_000);

afterAll(async () => {
  for (const each of opened.toReversed()) await each[Symbol.asyncDispose]();
  await built[Symbol.asyncDispose]();
});

/** Writes the files of every example, and serves them. */
async function serve(
  carrier: "http" | "stdio",
  env: Readonly<Record<string, string>>,
): Promise<ClientTarget> {
  const folder = await openFolder();
  opened.push(folder);
  for (const { example } of calls) await writeFiles(folder.path, example.files ?? {});
  const args = [program, "--root", folder.path];
  if (carrier === "stdio") return { command: process.execPath, args, env };
  return serveHttp(args, env);
}

async function serveHttp(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ClientTarget> {
  const child = spawn(process.execPath, [...args, "--http", "0"], { env });
  const left = once(child, "exit");
  opened.push({
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await left;
    },
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await waitFor(() => text.includes("claude mcp add"));
  return {
    url: /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(text)?.[0] ?? "",
    token: /shown only now: (\S+)/.exec(text)?.[1] ?? "",
  };
}

/** What a result says in both of its forms, which have to be the same. */
function read(result: JsonObject): JsonObject {
  const data = result["structuredContent"] as JsonObject;
  const [block] = result["content"] as unknown as readonly { readonly text: string }[];
  expect(JSON.parse(block?.text ?? "")).toEqual(data);
  return { isError: result["isError"] ?? false, code: data["code"] ?? "", error: data["error"] };
}

const success = { isError: false, code: "", error: "" };

describe.each(["http", "stdio"] as const)("over %s", (carrier) => {
  describe.each(clientKinds)("%s", (kind) => {
    let client: TestClient;
    let listed: readonly JsonObject[];

    beforeAll(async () => {
      client = await connectClient(kind, await serve(carrier, allowRoot));
      opened.push(client);
      // From here on the client holds every result against the output schema of its tool.
      listed = await client.listTools();
    }, 60_000);

    it("lists every tool, with the shape of its arguments and of its answer", () => {
      expect(
        listed.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })),
      ).toEqual(
        names.map((name) => ({
          name,
          inputSchema: expect.objectContaining({ type: "object", additionalProperties: false }),
          outputSchema: expect.objectContaining({ type: "object", additionalProperties: false }),
        })),
      );
    });

    it("tells its client what each tool is for", () => {
      const { instructions = "" } = client;
      expect(names.filter((name) => !instructions.includes(`- ${name}: `))).toEqual([]);
    });

    it.each(calls.filter(({ example }) => example.answer === undefined))(
      "takes the answer of $name",
      async ({ name, example }) => {
        expect(read(await client.callTool(name, example.arguments))).toEqual(success);
      },
    );

    it.each(calls)("takes the failure of $name", async ({ name, failure }) => {
      expect(read(await client.callTool(name, failure.arguments))).toEqual({
        isError: true,
        code: failure.code,
        error: expect.stringMatching(/\S/),
      });
    });

    it.each(calls)("takes the refusal of arguments that $name has not", async ({ name }) => {
      expect(read(await client.callTool(name, { no_such_argument: 1 }))).toEqual({
        isError: true,
        code: "INVALID_ARGUMENTS",
        error: expect.stringContaining("no_such_argument"),
      });
    });
  });

  it.runIf(process.geteuid?.() === 0).each(clientKinds)(
    "%s reads which variable lets every tool work for the root user",
    async (kind) => {
      await using client = await connectClient(kind, await serve(carrier, {}));
      await client.listTools();
      const answers = await Promise.all(
        calls.map(async ({ name, example }) =>
          read(await client.callTool(name, example.arguments)),
        ),
      );
      expect(answers).toEqual(
        names.map(() => ({
          isError: true,
          code: "ROOT_REFUSED",
          error: expect.stringContaining("POSTERN_ALLOW_ROOT_TOOLS=1"),
        })),
      );
    },
  );
});
