#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { isPosternError } from "@postern/errors";
import { domainServerHelp, parseDomainServerFlags } from "./server/domain-server-flags.js";

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };

const request = parseDomainServerFlags(process.argv.slice(2), process.env);
switch (request.kind) {
  case "help":
    process.stdout.write(domainServerHelp);
    break;
  case "version":
    console.log(version);
    break;
  case "problem":
    console.error(`example-domain-server: ${request.problem}`);
    process.exitCode = 2;
    break;
  case "serve":
    try {
      // Loaded late: help and mistakes need no server.
      const { serveDomain } = await import("./server/serve-domain.js");
      const server = await serveDomain({ ...request.flags, version });
      const guard = request.flags.token === undefined ? "without authentication" : "behind a token";
      console.log(`Serving ${server.tools.join(", ")} ${guard} at ${server.url}`);
      for (const signal of ["SIGINT", "SIGTERM"] as const)
        process.once(signal, () => void server.close());
    } catch (error) {
      if (!isPosternError(error)) throw error;
      const message =
        error.code === "OPEN_BIND"
          ? `Refused to listen on ${request.flags.host} without a token. Start it with --token-env NAME, or on 127.0.0.1.`
          : error.message;
      console.error(`example-domain-server: ${message}`);
      process.exitCode = 1;
    }
    break;
}
