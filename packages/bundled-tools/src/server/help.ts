/** What `--help` prints. */
export const help = `Usage: postern-tools [flags]

Serves Postern's bundled tools over MCP. Speaks stdio unless --http is given.

  --root DIR            the only folder the file tools may use (default: the current one)
  --include-tags A,B    offer only tools with one of these tags
  --exclude-tags A,B    offer no tool with one of these tags
  --http PORT           serve HTTP on 127.0.0.1; 0 takes a free port; a bearer token is made and printed once
  --allow-host HOST     also answer requests for this host name, for instance behind a proxy; may be repeated
  --no-auth             ask for no token; any program of this machine can then use the tools
  --grants              believe the client over stdio that the owner allowed paths outside DIR for a call
  --help, --version

Environment:
  POSTERN_ALLOW_ROOT_TOOLS=1         let the tools work for the root user; they refuse otherwise
  POSTERN_RUN_COMMAND_MAX_TIMEOUT=S  the longest a command may be asked to run, in seconds
  POSTERN_SENSITIVE_PATTERNS=A,B     more names of files that hold secrets
  POSTERN_WEB_ALLOW_HOSTS=A,B        hosts, or host:port, that web tools may reach though they are private
  POSTERN_MAILTO=ADDRESS             an address that the paper search tells the services it asks
  TAVILY_API_KEY, EXA_API_KEY, PARALLEL_API_KEY, FIRECRAWL_API_KEY, BRAVE_API_KEY, SERPER_API_KEY,
  SEMANTIC_SCHOLAR_API_KEY           keys of services that web and paper search then use too`;
