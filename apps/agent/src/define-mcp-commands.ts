import type { Command } from "commander";
import { bySeconds, parseTags, toList } from "./flags.js";
import type { Run } from "./session.js";
import type { ServerFlags } from "./server-flags.js";

const jsonHelp = "print JSON only";

interface JsonFlag {
  readonly json?: boolean;
}

/**
 * Declares the `mcp` commands: the owner's list of servers.
 *
 * @param program - What they become part of. @param run - Runs one with the session of the process.
 */
export function defineMcpCommands(program: Command, run: Run): void {
  const mcp = program
    .command("mcp")
    .description("the owner's MCP servers, kept in mcp.json")
    .usage("COMMAND [flags]");
  defineAdd(mcp, run);
  mcp
    .command("list")
    .description("list the servers; connects none")
    .option("--json", jsonHelp)
    .action((flags: JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/mcp-list.js")).listMcpServers(session),
      ),
    );
  mcp
    .command("show")
    .description("show one server: every setting, no secret")
    .argument("<name>", "the server")
    .option("--json", jsonHelp)
    .action((name: string, flags: JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/mcp-show.js")).showMcpServer(session, name),
      ),
    );
  mcp
    .command("remove")
    .description("take a server out of mcp.json")
    .argument("<name>", "the server")
    .option("--json", jsonHelp)
    .action((name: string, flags: JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/mcp-remove.js")).deleteMcpServer(session, name),
      ),
    );
  defineToggle(mcp, run, { verb: "enable", disabled: false, help: "turn a server on again" });
  defineToggle(mcp, run, { verb: "disable", disabled: true, help: "keep a server, unconnected" });
  defineTest(mcp, run);
}

function defineAdd(mcp: Command, run: Run): void {
  mcp
    .command("add")
    .description("add a server, or replace the one of that name; connects nothing")
    .argument("<name>", "letters, digits, _ and -, at most 32")
    .option("--command <program>", "the program to start")
    .option("--arg <value>", "one argument of it; may begin with a dash; repeatable", toList)
    .option("--env <name=value>", "a variable it gets; {env:NAME} is looked up; repeatable", toList)
    .option("--cwd <directory>", "the folder it runs in")
    .option("--url <url>", "the streamable HTTP endpoint, instead of a program")
    .option("--token-env <variable>", "the variable that holds a bearer token")
    .option("--header <name=value>", "a header of every request; repeatable", toList)
    .option("--connect-timeout <s>", "limit for connecting", bySeconds("--connect-timeout"))
    .option("--catalog-timeout <s>", "limit for listing its tools", bySeconds("--catalog-timeout"))
    .option("--call-timeout <s>", "limit for one call; 0: none", bySeconds("--call-timeout", true))
    .option("--include-tags <a,b>", "only tools with one of these tags", parseTags)
    .option("--exclude-tags <a,b>", "no tool with one of these tags", parseTags)
    .option("--protocol <p>", "auto, legacy or 2026-07-28")
    .option("--prefix <p>", "what its tools' names begin with, instead of NAME_")
    .option("--json", jsonHelp)
    .action((name: string, flags: ServerFlags & JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/mcp-add.js")).writeMcpServer(session, name, flags),
      ),
    );
}

function defineToggle(
  mcp: Command,
  run: Run,
  { verb, disabled, help }: { verb: string; disabled: boolean; help: string },
): void {
  mcp
    .command(verb)
    .description(help)
    .argument("<name>", "the server")
    .option("--json", jsonHelp)
    .action((name: string, flags: JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/mcp-toggle.js")).updateDisabled(session, name, disabled),
      ),
    );
}

function defineTest(mcp: Command, run: Run): void {
  mcp
    .command("test")
    .description("connect a server and list its tools, or say why it cannot be reached")
    .argument("<name>", "the server")
    .option("--timeout <s>", "how long it may take in all", bySeconds("--timeout"), 60)
    .option("--json", jsonHelp)
    .action((name: string, flags: JsonFlag & { readonly timeout: number }) =>
      run(flags, async (session) =>
        (await import("./commands/mcp-test.js")).connectOnce(session, name, flags.timeout),
      ),
    );
}
