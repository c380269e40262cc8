import { median, startProcess } from "./measure.mjs";

const rounds = 9;
const calls = 2_000;

/** (b) A pool call over stdio against the SDK's raw `request`, same server, same calls. */
export async function run() {
  const clients = {};
  for (const name of ["sdk", "ours"]) {
    clients[name] = startProcess(new URL(`./pool/${name}-client.mjs`, import.meta.url).pathname);
    await clients[name].next();
  }
  const cpu = { sdk: { 1: [], 16: [] }, ours: { 1: [], 16: [] } };
  const wall = { sdk: { 1: [], 16: [] }, ours: { 1: [], 16: [] } };
  for (let round = -2; round < rounds; round += 1)
    for (const inFlight of [1, 16])
      for (const name of round % 2 === 0 ? ["sdk", "ours"] : ["ours", "sdk"]) {
        const taken = await clients[name].ask({ name: "call", inFlight, calls });
        if (round < 0) continue; // warm-up
        cpu[name][inFlight].push(taken.cpuUs);
        wall[name][inFlight].push(taken.wallUs);
      }
  for (const client of Object.values(clients)) await client.stop();
  return [1, 16].flatMap((inFlight) => {
    const ratioOf = (of) => median(of.ours[inFlight].map((us, at) => us / of.sdk[inFlight][at]));
    const ratio = ratioOf(cpu);
    const show = (name) => `${median(cpu[name][inFlight]).toFixed(1)} µs`;
    return [
      {
        what: `SDK raw request over stdio, ${inFlight} in flight, own CPU per call`,
        value: show("sdk"),
      },
      {
        what: `pool call over stdio, ${inFlight} in flight, own CPU per call`,
        value: show("ours"),
      },
      {
        what: `pool against SDK, ${inFlight} in flight, own CPU`,
        value: `${ratio.toFixed(2)} ×`,
        bound: "≤ 1.15 ×",
        holds: ratio <= 1.15,
      },
      {
        what: `pool against SDK, ${inFlight} in flight, wall time`,
        value: `${ratioOf(wall).toFixed(2)} ×`,
      },
    ];
  });
}
