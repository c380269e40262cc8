/** Makes calls, some in flight at once; resolves to own CPU and wall time per call in microseconds. */
export async function measureCalls(call, { inFlight, calls }) {
  let left = calls;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  const from = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const { user, system } = process.cpuUsage(cpu);
  return { cpuUs: (user + system) / calls, wallUs: ((performance.now() - from) * 1_000) / calls };
}

export const text = "x".repeat(32);
export const echoServer = {
  command: process.execPath,
  args: [new URL("./echo-server.mjs", import.meta.url).pathname],
};
