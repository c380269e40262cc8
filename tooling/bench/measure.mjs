import { fork } from "node:child_process";

/** The middle value; of an even count the lower of the two. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Starts a bench process and waits until it says that it is ready. It answers `cpu` with its own microseconds. */
export function startProcess(url, args = []) {
  const child = fork(url, args, { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv: [] });
  const failed = new Promise((_, reject) => {
    child.once("exit", (code) => reject(new TypeError(`${url} ended with ${code}`)));
  });
  failed.catch(() => undefined); // it ends in peace once the bench is done
  const heard = () => new Promise((resolve) => child.once("message", resolve));
  const next = () => Promise.race([heard(), failed]);
  return {
    child,
    next,
    ask(message) {
      const answer = next();
      child.send(message);
      return answer;
    },
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.disconnect();
      await gone;
    },
  };
}

/** The other side of `startProcess`: answers `cpu`, runs named work, ends with its parent. */
export function answerParent(work = {}) {
  process.on("message", (message) => {
    if (message === "cpu") {
      const { user, system } = process.cpuUsage();
      process.send({ us: user + system });
    } else void Promise.resolve(work[message.name](message)).then((answer) => process.send(answer));
  });
  process.on("disconnect", () => process.exit(0));
}

/** Own CPU of a process over some work, in microseconds. */
export async function measureCpu(server, work) {
  const before = await server.ask("cpu");
  const calls = await work();
  const after = await server.ask("cpu");
  return (after.us - before.us) / calls;
}
