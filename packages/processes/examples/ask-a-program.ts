import { once } from "node:events";
import { isPosternError } from "@postern/errors";
import { spawnProcess } from "@postern/processes";

const env = { PATH: "/usr/bin:/bin", GREETING: "hello" };

{
  // A shell that starts a program of its own, as a package runner does: both end with the block.
  await using server = await spawnProcess({
    command: "sh",
    args: ["-c", 'sleep 1000 & read name; echo "$GREETING $name"; echo busy >&2; wait'],
    env,
  });
  server.stdin.write("postern\n");
  const [answer] = await once(server.stdout, "data");
  console.log(String(answer).trim());

  await server.stop({ eofGraceMs: 50, termGraceMs: 1_000 });
  console.log(await server.exited);
  console.log("it said:", server.stderrTail().trim());
}

try {
  await spawnProcess({ command: "no-such-server", env });
} catch (error) {
  if (!isPosternError(error)) throw error;
  console.log(error.code, error.message);
}
