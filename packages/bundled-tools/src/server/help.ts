/** What `--help` prints. */
export const help = `Usage: postern-tools [flags]

Serves Postern's bundled tools over MCP: list_files, read_file. Speaks stdio unless --http is given.

  --root DIR            the only folder the file tools may use (default: the current one)
  --include-tags A,B    offer only tools with one of these tags
  --exclude-tags A,B    offer no tool with one of these tags
  --http PORT           serve HTTP on 127.0.0.1; 0 takes a free port; a bearer token is made and printed once
  --allow-host HOST     also answer requests for this host name, for instance behind a proxy; may be repeated
  --no-auth             ask for no token; any program of this machine can then use the tools
  --help, --version

Environment:
  POSTERN_ALLOW_ROOT_TOOLS=1    let the tools work for the root user; they refuse otherwise`;
