import { Option, type Command } from "commander";
import type { CallFlags } from "./commands/call.js";
import type { ServeFlags } from "./commands/serve.js";
import type { TrustFlags } from "./commands/trust.js";
import {
  bySeconds,
  parseCount,
  parseGuard,
  parseLevel,
  parsePort,
  parseTags,
  toList,
} from "./flags.js";
import type { Run } from "./session.js";
import type { ViewFlags } from "./with-host.js";

interface JsonFlag {
  readonly json?: boolean;
}

/**
 * Declares the commands around tools: `tools`, `call`, `serve`, `trust`, `consent` and `audit`.
 *
 * @param program - What they become part of. @param run - Runs one with the session of the process.
 */
export function defineToolCommands(program: Command, run: Run): void {
  withView(program.command("tools").description("list the tools that may be called")).action(
    (flags: ViewFlags & JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/tools.js")).listTools(session, flags),
      ),
  );
  defineCall(program, run);
  defineServe(program, run);
  defineTrust(program, run);
  defineConsent(program, run);
  defineAudit(program, run);
}

/** The flags that narrow what a run sees, the same for all that open the servers. */
function withView(command: Command): Command {
  return command
    .option("--level <level>", "full or read_only", parseLevel)
    .option("--domain <name>", "only this domain's servers")
    .option("--include-tags <a,b>", "only tools with one of these tags", parseTags)
    .option("--exclude-tags <a,b>", "no tool with one of these tags", parseTags)
    .option("--json", "print JSON only");
}

function defineCall(program: Command, run: Run): void {
  withView(program.command("call").description("call one tool; starts only its server"))
    .argument("<tool>", "its name, as `postern tools` lists it")
    .argument("[arguments...]", "key=text, key:=json, key=@file or key:=@file")
    .option("--args <json>", "all arguments as one JSON object")
    .option("--guard <mode>", "judge the call by rules: off, observe or enforce", parseGuard)
    .option("--timeout <s>", "limit of the call; 0: none", bySeconds("--timeout", true))
    .action((name: string, words: string[], flags: CallFlags & JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/call.js")).callTool(session, { name, words }, flags),
      ),
    );
}

function defineServe(program: Command, run: Run): void {
  withView(
    program.command("serve").description("serve the tools that may be called, as one MCP server"),
  )
    .option("--proxy", "serve the configured servers again, governed")
    .option("--guard <mode>", "judge calls by rules: off, observe or enforce", parseGuard)
    .option("--taint", "ask before untrusted text is run, written where it runs, or sent")
    .option("--http <port>", "over HTTP on this port (0: any); without it over stdio", parsePort)
    .option("--host <address>", "the address to listen on (127.0.0.1)")
    .option("--allow-host <name>", "a host name that requests may come by; repeatable", toList)
    .option("--no-auth", "ask for no bearer; only on loopback, only for read-only tools")
    .action((flags: ServeFlags & JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/serve.js")).serveTools(session, flags),
      ),
    );
}

function defineTrust(program: Command, run: Run): void {
  program
    .command("trust")
    .description("let this project's postern.json do more than narrow, once you have seen what")
    .addOption(
      new Option("--list", "show what it would widen, and ask nothing").conflicts([
        "remove",
        "yes",
      ]),
    )
    .addOption(new Option("--remove", "trust this project's file no longer").conflicts("yes"))
    .option("--yes <digest>", "trust without asking, if the file still has this SHA-256")
    .option("--json", "print JSON only; without --yes it shows and changes nothing")
    .action((flags: TrustFlags & JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/trust.js")).updateTrust(session, flags),
      ),
    );
}

function defineConsent(program: Command, run: Run): void {
  const consent = program
    .command("consent")
    .description("what you allowed tools to use beyond this project")
    .usage("COMMAND [flags]");
  consent
    .command("list")
    .description("list it")
    .option("--json", "print JSON only")
    .action((flags: JsonFlag) =>
      run(flags, async (session) => (await import("./commands/consent.js")).listConsents(session)),
    );
  consent
    .command("revoke")
    .description("take it back")
    .argument("<path>", "the path, as the list shows it")
    .option("--json", "print JSON only")
    .action((path: string, flags: JsonFlag) =>
      run(flags, async (session) =>
        (await import("./commands/consent.js")).revokeConsent(session, path),
      ),
    );
}

function defineAudit(program: Command, run: Run): void {
  const audit = program
    .command("audit")
    .description("what was recorded of calls, with --guard observe or enforce")
    .usage("COMMAND [flags]");
  audit
    .command("verify")
    .description("find what was changed, cut, replaced or taken away")
    .option("--json", "print JSON only")
    .action((flags: JsonFlag) =>
      run(flags, async (session) => (await import("./commands/audit.js")).verifyAudit(session)),
    );
  audit
    .command("tail")
    .description("show the last records")
    .option("--lines <n>", "how many (20)", parseCount)
    .option("--json", "print JSON only")
    .action((flags: JsonFlag & { readonly lines?: number }) =>
      run(flags, async (session) =>
        (await import("./commands/audit.js")).showAudit(session, flags.lines ?? 20),
      ),
    );
}
