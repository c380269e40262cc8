import { parseMcpConfig, parsePosternConfig } from "@postern/config";
import { expect, test } from "vitest";
import type { Listing } from "@postern/tool";
import type { Configuration } from "./configuration.js";
import { hostErrors } from "./errors.js";
import { planHost, type HostPlan } from "./host-plan.js";
import type { HostOptions } from "./host-options.js";

function configure(mcp: object, settings: object = {}): Configuration {
  const config = parsePosternConfig(JSON.stringify(settings), "settings.json");
  const servers = parseMcpConfig(JSON.stringify({ mcpServers: mcp }), "mcp.json");
  if (!config.ok || !servers.ok) throw hostErrors.INVALID_CONFIGURATION({ problems: ["test"] });
  return { config: config.value, mcp: servers.value, warnings: [], notices: [] };
}

function plan(configuration: Configuration, options: Partial<HostOptions> = {}): HostPlan {
  return planHost(configuration, { home: "/home", project: "/project", env: {}, ...options });
}

function listing(server: string, tags: readonly string[], readOnlyHint?: boolean): Listing {
  const annotations = readOnlyHint === undefined ? {} : { annotations: { readOnlyHint } };
  const name = `${server}_x`;
  const base = { kind: "tool", server, name, originalName: "x", checkpaths: [], raw: {} } as const;
  return { ...base, tags, ...annotations };
}

const echo = { command: "echo" };

test("connects every server of the owner and the bundled one without any configuration", () => {
  const { servers, bundled, level } = plan(configure({ a: echo, b: echo }));
  expect([[...servers.keys()], bundled, level]).toEqual([["a", "b"], true, "full"]);
});

test("leaves the bundled server out when the configuration turns it off", () => {
  const settings = { general: { bundled_tools: { enabled: false } } };
  expect(plan(configure({}, settings)).bundled).toBe(false);
});

test("filters the tags of the bundled tools and of no other server", () => {
  const settings = {
    general: { bundled_tools: { include_tags: ["web"], exclude_tags: ["download"] } },
  };
  const { rule } = plan(configure({ a: echo }, settings));
  const decisions = [
    listing("bundled", ["bundled", "web"]),
    listing("bundled", ["bundled", "web", "download"]),
    listing("bundled", ["bundled", "files"]),
    listing("a", []),
  ].map((candidate) => rule(candidate).allow);
  expect(decisions).toEqual([true, false, false, true]);
});

test("takes the level of the call before that of the configuration", () => {
  const configuration = configure({}, { general: { access_level: "read_only" } });
  expect(plan(configuration).level).toBe("read_only");
  expect(plan(configuration, { level: "full" }).level).toBe("full");
});

test("refuses a level that is none instead of taking it for full", () => {
  const level = "readonly" as "read_only";
  expect(() => plan(configure({}), { level })).toThrow(
    expect.objectContaining({ code: "UNKNOWN_ACCESS_LEVEL" }),
  );
});

test("lets the owner's declared access beat annotations under read_only", () => {
  const settings = { general: { tool_access: { a_x: { read_only: true } } } };
  const { rule } = plan(configure({ a: echo, b: echo }, settings), { level: "read_only" });
  expect(rule(listing("a", [])).allow).toBe(true);
  expect(rule(listing("b", [])).allow).toBe(false);
});

test("starts only the server that a name can belong to", () => {
  const configuration = configure({ a: echo, ab: echo, c: { ...echo, prefix: "short_" } });
  const only = (onlyFor: string): unknown => {
    const { servers, bundled } = plan(configuration, { onlyFor });
    return [[...servers.keys()], bundled];
  };
  expect(only("ab_search")).toEqual([["ab"], false]);
  expect(only("short_search")).toEqual([["c"], false]);
  expect(only("bundled_read_file")).toEqual([[], true]);
  expect(only("c_search")).toEqual([[], false]);
});

test("connects with a domain only what the domain names, narrowed by its tags", () => {
  const domains = { D: { mcp_servers: { mine: { use: "a", include_tags: ["web"] } } } };
  const configuration = configure({ a: { ...echo, exclude_tags: ["code"] }, b: echo }, { domains });
  const { servers, rule } = plan(configuration, { domain: "D" });
  expect([...servers.keys()]).toEqual(["mine"]);
  expect(rule(listing("mine", ["web"])).allow).toBe(true);
  expect(rule(listing("mine", ["web", "code"])).allow).toBe(false);
  expect(rule(listing("mine", [])).allow).toBe(false);
});

test("names the domains that exist when asked for another", () => {
  const domains = { NeuroML: { mcp_servers: {} } };
  expect(() => plan(configure({}, { domains }), { domain: "Neuro" })).toThrow(
    expect.objectContaining({
      code: "UNKNOWN_DOMAIN",
      message: expect.stringContaining("NeuroML"),
    }),
  );
});

test("leaves out a domain's server that takes a name of mcp.json, and one that uses a missing server", () => {
  const domains = { D: { mcp_servers: { a: echo, c: { use: "nope" } } } };
  const { servers, unmounted, problems } = plan(configure({ a: echo }, { domains }), {
    domain: "D",
  });
  expect(servers.size).toBe(0);
  expect([...unmounted.keys()]).toEqual(["a", "c"]);
  expect(problems.map(({ code }) => code)).toEqual(["NAME_TAKEN", "UNKNOWN_SERVER"]);
});

test("leaves out both of two servers whose names clash, and one that is called bundled", () => {
  const { servers, unmounted, bundled } = plan(
    configure({ my: echo, my_server: echo, bundled: echo, fine: echo }),
  );
  expect([...servers.keys()]).toEqual(["fine"]);
  expect([...unmounted.keys()].toSorted()).toEqual(["bundled", "my", "my_server"]);
  expect(bundled).toBe(true);
});

test("names a broken entry with its problems and keeps the others", () => {
  const { servers, unmounted } = plan(configure({ bad: { command: 7 }, good: echo }));
  expect([...servers.keys()]).toEqual(["good"]);
  expect(unmounted.get("bad")).toContain("mcp.json:");
});
