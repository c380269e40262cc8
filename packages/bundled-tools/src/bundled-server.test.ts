import { basename, isAbsolute } from "node:path";
import { expect, it } from "vitest";
import { bundledServer, bundledVariables } from "./bundled-server.js";

it("starts the program of this package with this Node, in the given folder", () => {
  const { command, args } = bundledServer({ root: "/some/folder", env: {} });
  expect(command).toBe(process.execPath);
  expect([isAbsolute(args[0] ?? ""), basename(args[0] ?? ""), ...args.slice(1)]).toEqual([
    true,
    "bin.js",
    "--root",
    "/some/folder",
    "--grants",
  ]);
});

it("passes exactly the documented variables that are set, an empty one too", () => {
  const env = {
    POSTERN_ALLOW_ROOT_TOOLS: "1",
    TAVILY_API_KEY: "key",
    POSTERN_MAILTO: "",
    EXA_API_KEY: undefined,
    AWS_SECRET_ACCESS_KEY: "never",
    PATH: "/bin",
  };
  expect(bundledServer({ root: "/", env }).env).toEqual({
    POSTERN_ALLOW_ROOT_TOOLS: "1",
    TAVILY_API_KEY: "key",
    POSTERN_MAILTO: "",
  });
});

it("documents these variables and no others", () => {
  expect(bundledVariables).toEqual([
    "POSTERN_ALLOW_ROOT_TOOLS",
    "POSTERN_RUN_COMMAND_MAX_TIMEOUT",
    "POSTERN_SENSITIVE_PATTERNS",
    "POSTERN_WEB_ALLOW_HOSTS",
    "TAVILY_API_KEY",
    "EXA_API_KEY",
    "PARALLEL_API_KEY",
    "FIRECRAWL_API_KEY",
    "BRAVE_API_KEY",
    "SERPER_API_KEY",
    "SEMANTIC_SCHOLAR_API_KEY",
    "POSTERN_MAILTO",
  ]);
});
