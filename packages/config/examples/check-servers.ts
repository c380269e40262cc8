import {
  expandServer,
  narrowUntrusted,
  parseMcpConfig,
  parsePosternConfig,
  toUnresolvedText,
} from "@postern/config";

const mcp = parseMcpConfig(
  `{
  // shared with an editor
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "server-github", "--token={env:GITHUB_TOKEN}"],
      "connectTimeout": 5
    },
    "search": { "url": "http://search.example/mcp", "token_env": "SEARCH_TOKEN" }
  }
}`,
  "mcp.json",
);
if (mcp.ok) {
  for (const { line, column, message } of mcp.warnings) console.log(`${line}:${column} ${message}`);
  for (const { name, problems } of mcp.value.broken)
    console.log(`${name} is left out: ${problems.map(({ message }) => message).join(" ")}`);
  for (const entry of Object.values(mcp.value.servers)) {
    console.log(`${entry.name}: ${toUnresolvedText(entry)}`);
    // Just before connecting, with the environment of the program that connects.
    const expanded = expandServer(entry, {});
    if (!expanded.ok) console.log(expanded.problems.map(({ message }) => message).join(" "));
  }
}

// A project's file is the repository's word: until the owner trusts it, it can only narrow.
const project = parsePosternConfig(
  `{
  "general": { "access_level": "read_only", "tool_access": { "run_tests": { "read_only": true } } },
  "domains": { "docs": { "mcp_servers": { "docs": { "command": "./serve-docs" } } } }
}`,
  "postern.json",
);
if (project.ok) {
  const { config, widened } = narrowUntrusted(project.value, undefined);
  console.log(`level: ${config.general.accessLevel}`);
  for (const { path, from, to } of widened) console.log(`not counted: ${path}, ${from} -> ${to}`);
}
