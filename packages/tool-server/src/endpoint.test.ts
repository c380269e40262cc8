import { setTimeout as sleep } from "node:timers/promises";
import { textResult } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { createCall, createPost, readAnswer as read } from "../fixtures/messages.js";
import { SampleSource } from "../fixtures/sample-source.js";
import { createMcpEndpoint, type EndpointOptions } from "./index.js";

const identity = { name: "sample", version: "1" };

function open(source: SampleSource = new SampleSource(), options: EndpointOptions = {}) {
  return createMcpEndpoint(identity, source, options);
}

describe("the end of an endpoint", () => {
  it("aborts running calls and answers no more", async () => {
    const source = new SampleSource();
    let isAborted = false;
    source.run = async ({ context }) => {
      await new Promise<void>((resolve) => {
        context.signal.addEventListener("abort", () => resolve());
      });
      isAborted = true;
      return textResult("late");
    };
    const endpoint = open(source);
    const running = endpoint.fetch(createPost(createCall("slow")));
    await sleep(20);
    await endpoint.close();
    const after = await read(await endpoint.fetch(createPost(createCall("slow"))));
    expect([(await running).status, isAborted, after]).toEqual([499, true, [503, "SERVER_CLOSED"]]);
  });

  it("leaves no listener on the set", async () => {
    const source = new SampleSource();
    const endpoint = open(source);
    const stream = await endpoint.fetch(
      new Request("http://127.0.0.1/mcp", { headers: { accept: "text/event-stream" } }),
    );
    const listeners = source.listenerCount;
    await endpoint.close();
    await stream.text();
    expect([listeners, source.listenerCount]).toEqual([1, 0]);
  });

  it("aborts the call of a client that is gone", async () => {
    const source = new SampleSource();
    let isAborted = false;
    source.run = async ({ context }) => {
      await new Promise<void>((resolve) => {
        context.signal.addEventListener("abort", () => resolve());
      });
      isAborted = true;
      return textResult("late");
    };
    const gone = new AbortController();
    const post = createPost(createCall("slow"));
    const running = open(source).fetch(new Request(post, { signal: gone.signal }));
    await sleep(20);
    gone.abort();
    await running;
    await sleep(0);
    expect(isAborted).toBe(true);
  });
});

describe("createMcpEndpoint", () => {
  it.each<EndpointOptions>([
    { path: "mcp" },
    { path: "/a b" },
    { maxBodyBytes: 0 },
    { maxBodyBytes: Number.NaN },
    { allowedHosts: ["https://x"] },
    { allowedHosts: [""] },
    { allowedOrigins: ["app.example"] },
    { allowedOrigins: ["*"] },
  ])("refuses the options %j", (options) => {
    expect(() => open(undefined, options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTIONS" }),
    );
  });

  it("is what it was made of, whatever becomes of the options", () => {
    const allowedHosts = ["a.example"];
    const endpoint = open(undefined, { allowedHosts });
    allowedHosts.push("b.example");
    expect([endpoint.allowedHosts, endpoint.authenticated, endpoint.path]).toEqual([
      ["a.example"],
      false,
      "/mcp",
    ]);
  });
});
