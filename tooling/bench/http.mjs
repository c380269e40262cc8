import { createLoad } from "./http/load.mjs";
import { measureCpu, median, startProcess } from "./measure.mjs";

const roundMs = 1_000;
const rounds = 7;
const inFlight = 16;

/** (a) `tools/call` over HTTP: a bare JSON echo, the SDK's low-level server behind its own Node adapter, and ours. */
export async function run() {
  const names = ["bare", "sdk", "ours"];
  const servers = [];
  for (const name of names) {
    const server = startProcess(new URL(`./http/${name}-server.mjs`, import.meta.url).pathname);
    const { port, path, token } = await server.next();
    servers.push({ name, server, load: createLoad({ port, path, token, inFlight }) });
  }
  const cpu = { bare: [], sdk: [], ours: [] };
  const rate = { bare: [], sdk: [], ours: [] };
  for (const { load } of servers) await load.run(roundMs);
  for (let round = 0; round < rounds; round += 1)
    for (const { name, server, load } of servers) {
      let calls = 0;
      cpu[name].push(
        await measureCpu(server, async () => {
          calls = await load.run(roundMs);
          return calls;
        }),
      );
      rate[name].push(calls / (roundMs / 1_000));
    }
  for (const { server, load } of servers) {
    load.close();
    await server.stop();
  }
  const own = median(cpu.ours) / 1_000;
  const ratio = median(rate.ours.map((value, at) => value / rate.sdk[at]));
  return [
    {
      what: "bare node:http JSON echo, own CPU per call",
      value: `${(median(cpu.bare) / 1_000).toFixed(3)} ms`,
    },
    {
      what: "SDK low-level server + toNodeHandler, own CPU per call",
      value: `${(median(cpu.sdk) / 1_000).toFixed(3)} ms`,
    },
    {
      what: "serveHttp with bearer, own CPU per call",
      value: `${own.toFixed(3)} ms`,
      bound: "≤ 0.30 ms",
      holds: own <= 0.3,
    },
    {
      what: "serveHttp, own CPU against bare",
      value: `${(own / (median(cpu.bare) / 1_000)).toFixed(2)} ×`,
    },
    {
      what: "serveHttp, calls per second against the SDK",
      value: `${ratio.toFixed(2)} ×`,
      bound: "≥ 1.3 ×",
      holds: ratio >= 1.3,
    },
  ];
}
