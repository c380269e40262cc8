import { expect, it } from "vitest";
import { parseFlags } from "./parse-flags.js";

const stdio = {
  kind: "serve",
  root: undefined,
  includeTags: [],
  excludeTags: [],
  http: undefined,
  grants: false,
};

const accepted: readonly { args: readonly string[]; value: object }[] = [
  { args: [], value: stdio },
  { args: ["--help"], value: { kind: "help" } },
  { args: ["-h", "--http", "1"], value: { kind: "help" } },
  { args: ["--version"], value: { kind: "version" } },
  { args: ["-v"], value: { kind: "version" } },
  { args: ["--root", "/a"], value: { ...stdio, root: "/a" } },
  { args: ["--grants"], value: { ...stdio, grants: true } },
  { args: ["--root=/a=b"], value: { ...stdio, root: "/a=b" } },
  { args: ["--root", "-dashed"], value: { ...stdio, root: "-dashed" } },
  { args: ["--root", "--dashed"], value: { ...stdio, root: "--dashed" } },
  {
    args: ["--include-tags", "web, files", "--include-tags", "code", "--exclude-tags", "-x,"],
    value: { ...stdio, includeTags: ["web", "files", "code"], excludeTags: ["-x"] },
  },
  {
    args: ["--http", "8080"],
    value: { ...stdio, http: { port: 8080, authenticated: true, allowedHosts: [] } },
  },
  {
    args: ["--http", "0", "--no-auth"],
    value: { ...stdio, http: { port: 0, authenticated: false, allowedHosts: [] } },
  },
  {
    args: ["--http", "65535", "--allow-host", "a.example", "--allow-host", "b.example:8443"],
    value: {
      ...stdio,
      http: { port: 65_535, authenticated: true, allowedHosts: ["a.example", "b.example:8443"] },
    },
  },
];

it.each(accepted)("accepts $args", ({ args, value }) => {
  expect(parseFlags(args)).toEqual({ ok: true, value });
});

const refused: readonly { args: readonly string[]; problem: string }[] = [
  { args: ["--rot", "/a"], problem: "Unknown flag --rot. Did you mean --root?" },
  {
    args: ["--includetags=a"],
    problem: "Unknown flag --includetags. Did you mean --include-tags?",
  },
  { args: ["--completely-else"], problem: "Unknown flag --completely-else." },
  { args: ["-x"], problem: "Unknown flag -x." },
  { args: ["serve"], problem: '"serve" is not expected here.' },
  { args: ["--root"], problem: "--root needs a value." },
  { args: ["--root", "--http", "1"], problem: "--root needs a value." },
  { args: ["--root="], problem: "--root needs a value." },
  { args: ["--no-auth=1", "--http", "1"], problem: "--no-auth takes no value." },
  ...["http", "-1", "65536", "1.5", "1e3", "0x10"].map((port) => ({
    args: ["--http", port],
    problem: "--http needs a port from 0 to 65535; 0 takes a free one.",
  })),
  { args: ["--grants", "--http", "0"], problem: "--grants counts only over stdio." },
  { args: ["--no-auth"], problem: "--no-auth counts only together with --http." },
  { args: ["--allow-host", "a"], problem: "--allow-host counts only together with --http." },
  {
    args: ["--http", "1", "--no-auth", "--allow-host", "a"],
    problem: "--no-auth serves loopback only, so it cannot be combined with --allow-host.",
  },
];

it.each(refused)("refuses $args", ({ args, problem }) => {
  expect(parseFlags(args)).toEqual({ ok: false, problem });
});
