import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** A peer server of somebody else's, from the workspace's own dependencies. */
function peer(name, args) {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const script = Object.values(require(manifest).bin)[0];
  return { command: process.execPath, args: [join(dirname(manifest), script), ...args] };
}

/** Makes an owner's folder and a project in a temporary folder, as a user would have them. */
export async function openStage() {
  const folder = await mkdtemp(join(tmpdir(), "postern-story-"));
  const [home, project, shared] = ["home", "project", "shared"].map((name) => join(folder, name));
  for (const directory of [home, project, shared]) await mkdir(directory, { mode: 0o700 });
  await writeFile(join(project, "notes.txt"), "A postern is the small guarded gate.\n");
  await writeFile(join(shared, "readme.txt"), "Shared with the files server.\n");
  const mcpServers = { everything: peer("everything", []), files: peer("filesystem", [shared]) };
  await writeFile(join(home, "mcp.json"), JSON.stringify({ mcpServers }, null, 2));
  const env = { ...process.env };
  if (process.getuid?.() === 0) {
    console.log(
      "You are root: POSTERN_ALLOW_ROOT_TOOLS=1 is set for this story's own tools server.\n",
    );
    env.POSTERN_ALLOW_ROOT_TOOLS = "1";
  }
  return {
    hostOptions: {
      home,
      project,
      env,
      onEvent: ({ level, server, message }) => {
        if (level === "warning") console.error(`${server ?? "postern"}: ${message}`);
      },
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
