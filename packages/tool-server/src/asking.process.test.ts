import { bundleSource, openFolder } from "@postern/test-kit";
import type { Caller } from "@postern/tool";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AskingSource } from "../fixtures/asking.js";
import {
  clientKinds,
  connectClient,
  type ClientTarget,
  type OnElicit,
  type TestClient,
} from "../fixtures/clients.js";
import { Resources } from "../fixtures/resources.js";
import { createMcpEndpoint } from "./index.js";
import { serveHttp } from "./node/index.js";

const fixture = new URL("../fixtures/asking-server.ts", import.meta.url).pathname;
const owner: Caller = { kind: "remote", id: "ann", scopes: ["consent"] };
const stack = new Resources();
let bundle = "";

beforeAll(async () => {
  const folder = await openFolder();
  stack.use(folder);
  bundle = await bundleSource(fixture, folder.path);
}, 60_000);
afterAll(() => stack[Symbol.asyncDispose]());

async function findTarget(carrier: "http" | "stdio", caller: Caller): Promise<ClientTarget> {
  if (carrier === "stdio") {
    const who = caller.scopes.includes("consent") ? "owner" : "remote";
    return { command: process.execPath, args: [bundle, who] };
  }
  const endpoint = stack.use(
    createMcpEndpoint({ name: "asking", version: "1" }, new AskingSource(), { caller }),
  );
  return { url: stack.use(await serveHttp(endpoint, { drainMs: 100 })).url };
}

async function read(call: Promise<Record<string, unknown>>): Promise<unknown> {
  const { content, isError } = (await call) as { content: { text: string }[]; isError?: boolean };
  const answer = JSON.parse(content[0]?.text ?? "") as { error?: string };
  return isError === true ? answer.error : answer;
}

const yes = { action: "accept", content: { choice: "once" } };
const cancel = { action: "cancel" };

describe.each(clientKinds)("a question to the person behind %s", (kind) => {
  describe.each(["http", "stdio"] as const)("over %s", (carrier) => {
    const asked: string[] = [];
    let answer: OnElicit;
    let client: TestClient;

    beforeAll(async () => {
      const target = await findTarget(carrier, owner);
      client = stack.use(
        await connectClient(kind, target, {
          onElicit: (form) => {
            asked.push(form.message);
            return answer(form);
          },
        }),
      );
    }, 60_000);
    beforeEach(() => {
      asked.length = 0;
      answer = () => Promise.resolve(yes);
    });

    it("is shown under our line, and the yes reaches the call", async () => {
      expect(await read(client.callTool("one"))).toEqual([yes]);
      expect(asked).toEqual(["Postern asks for the owner.\nMay the tool do it?"]);
    });

    it.each([
      ["decline", { action: "decline" }],
      ["cancel", cancel],
    ])("that is answered with %s is answered with no", async (_name, response) => {
      answer = () => Promise.resolve(response);
      expect(await read(client.callTool("one"))).toEqual([response]);
    });

    it("goes with the others of the call where they are asked at once", async () => {
      answer = ({ message }) =>
        Promise.resolve(message.includes("First") ? yes : { action: "decline" });
      expect(await read(client.callTool("both"))).toEqual([yes, { action: "decline" }]);
      expect(new Set(asked.map((text) => text.split("\n")[1]))).toEqual(
        new Set(["First?", "Second?"]),
      );
    });

    it("comes after the one before it, each once", async () => {
      answer = ({ message }) =>
        Promise.resolve(message.includes("First") ? yes : { action: "decline" });
      expect(await read(client.callTool("sequence"))).toEqual([yes, { action: "decline" }, yes]);
      expect(asked.map((text) => text.split("\n")[1])).toEqual(["First?", "Second?"]);
    });

    it("is answered to the call that asks it, of twenty at once", async () => {
      answer = async ({ message }) => {
        const number = Number(message.split(" ")[5]);
        await new Promise((resolve) => setTimeout(resolve, (number * 7) % 20));
        return { action: "accept", content: { choice: "once", reason: `r${number}` } };
      };
      const calls = Array.from({ length: 20 }, (_, at) =>
        read(client.callTool("one", { text: ` ${at} ` })),
      );
      expect(await Promise.all(calls)).toEqual(
        Array.from({ length: 20 }, (_, at) => [
          { action: "accept", content: { choice: "once", reason: `r${at}` } },
        ]),
      );
    });

    it("to the caller has no line of ours", async () => {
      expect(await read(client.callTool("caller"))).toEqual([yes]);
      expect(asked).toEqual(["May the tool do it?"]);
    });

    it("that is too long is refused and shown to nobody", async () => {
      expect(await read(client.callTool("long"))).toBe("QUESTION_REFUSED");
      expect(asked).toEqual([]);
    });
  });

  it.each(["http", "stdio"] as const)(
    "that may not answer for the owner is a no over %s, but not one to itself",
    async (carrier) => {
      const asked: string[] = [];
      const target = await findTarget(carrier, { ...owner, scopes: [] });
      await using client = await connectClient(kind, target, {
        onElicit: ({ message }) => {
          asked.push(message);
          return Promise.resolve(yes);
        },
      });
      expect(await read(client.callTool("one"))).toEqual([cancel]);
      expect(asked).toEqual([]);
      expect(await read(client.callTool("caller"))).toEqual([yes]);
    },
  );

  it.each(["http", "stdio"] as const)("that cannot be asked is a no over %s", async (carrier) => {
    const target = await findTarget(carrier, owner);
    await using client = await connectClient(kind, target);
    expect(await read(client.callTool("one"))).toEqual([cancel]);
    expect(await read(client.callTool("both"))).toEqual([cancel, cancel]);
  });
});
