/**
 * The main job as a short story on real parts: connect servers, see and call only what the owner allows, and serve the
 * governed set to other MCP clients. `--keep` stays up and prints how to connect.
 */
import { parseArgs } from "node:util";
import { openHost, serveProxy } from "@postern/host";
import { byAccess, byTags, permitted } from "@postern/policy";
import { createCallContext, findResultError } from "@postern/tool";
import { callAsLegacyClient, callAsModernClient } from "./clients.mjs";
import { openStage } from "./stage.mjs";

const { values } = parseArgs({ options: { keep: { type: "boolean", default: false } } });
const started = performance.now();
const owner = { kind: "owner", id: "story", scopes: [] };

/** One line of the story, with the time it took. */
async function tell(title, work) {
  const from = performance.now();
  const outcome = await work();
  const ms = (performance.now() - from).toFixed(0);
  console.log(`${title.padEnd(58)} ${ms.padStart(6)} ms   ${outcome.note ?? ""}`);
  return outcome.value;
}

/** Fails the story when something else happens than what it tells. */
function expect(condition, what) {
  if (condition) return;
  console.error(`The story does not hold: ${what}`);
  process.exitCode = 1;
}

async function callFrom(tools, name, args) {
  const outcome = await tools.call({
    name,
    arguments: args,
    context: createCallContext({ caller: owner }),
  });
  const error = findResultError(outcome)?.code ?? outcome.structuredContent?.code;
  const text = outcome.content?.find((block) => block.type === "text")?.text ?? "";
  return { outcome, error, text: text.replaceAll(/\s+/g, " ").slice(0, 60) };
}

function printTools(listings) {
  const readOnly = new Set(permitted(listings, byAccess("read_only")));
  for (const listing of listings) {
    const level = readOnly.has(listing) ? "read_only" : "full";
    console.log(`    ${listing.name.padEnd(46)} ${level.padEnd(10)} ${listing.tags.join(", ")}`);
  }
}

async function tellCalls(tools) {
  await tell("An allowed call: bundled_read_file notes.txt", async () => {
    const { outcome, text } = await callFrom(tools, "bundled_read_file", { path: "notes.txt" });
    expect(outcome.isError !== true && text.includes("postern"), "the file is read");
    return { note: text };
  });
  const refusals = [
    [
      "Refused by tag (files excluded): bundled_read_file",
      tools.restrict(byTags({ exclude: ["files"] })),
      "bundled_read_file",
      { path: "notes.txt" },
      "UNKNOWN_TOOL",
    ],
    [
      "Refused by level (read_only): files_write_file",
      tools.restrict(byAccess("read_only")),
      "files_write_file",
      { path: "x", content: "x" },
      "UNKNOWN_TOOL",
    ],
    ["Refused, no such tool: files_rm_rf", tools, "files_rm_rf", {}, "UNKNOWN_TOOL"],
    [
      "Refused, outside the root: ../../etc/passwd",
      tools,
      "bundled_read_file",
      { path: "../../etc/passwd" },
      "PATH_DENIED",
    ],
  ];
  for (const [title, set, name, args, code] of refusals)
    await tell(title, async () => {
      const { outcome, error } = await callFrom(set, name, args);
      expect(outcome.isError === true && error === code, `${title} answers ${code}, not ${error}`);
      return { note: error };
    });
}

async function tellClients(proxy) {
  const clients = [
    ["An independent client of the old era (SDK 1.32, 2025-11-25)", callAsLegacyClient],
    ["An independent client of the new era (SDK 2, 2026-07-28)", callAsModernClient],
  ];
  for (const [title, call] of clients)
    await tell(title, async () => {
      const { toolCount, text, refused } = await call(proxy.url, proxy.token);
      expect(text.includes("hello"), "the echo comes back");
      expect(refused.includes("UNKNOWN_TOOL"), "the hidden tool is refused");
      return { note: `${toolCount} tools; echo says ${JSON.stringify(text)}` };
    });
}

const stage = await openStage();
const host = await tell("Connect bundled, everything and files over stdio", async () => {
  const value = await openHost(stage.hostOptions);
  const states = value.servers().map(({ name, state }) => `${name} ${state}`);
  expect(value.tools.missing().length === 0, JSON.stringify(value.tools.missing()));
  return { value, note: states.join(", ") };
});
const listings = await tell("List what the owner allows", async () => {
  const value = await host.tools.list();
  return { value, note: `${value.length} tools` };
});
printTools(listings);
await tellCalls(host.tools);
const proxy = await tell("Serve the governed set over loopback HTTP", async () => {
  const value = await serveProxy(host, { kind: "http", port: 0 });
  return { value, note: value.url };
});
await tellClients(proxy);
console.log(`Told in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
if (values.keep) {
  console.log(`\nServing ${proxy.url} until you press Ctrl-C. Connect a client with:`);
  console.log(
    `  claude mcp add --transport http postern ${proxy.url} --header "Authorization: Bearer ${proxy.token}"`,
  );
  await new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, resolve);
  });
}
await proxy.close();
await host.close();
await stage.close();
