import { expect, it } from "vitest";
import { createChildEnvironment } from "./base-environment.js";

it("keeps the safe base and adds exactly what is configured", () => {
  const base = {
    PATH: "/bin",
    HOME: "/h",
    LANG: "C",
    API_KEY: "s",
    NODE_OPTIONS: "-r x",
    TERM: undefined,
  };
  expect(createChildEnvironment(base, { KEY: "v", PATH: "/own" }, "linux")).toEqual({
    PATH: "/own",
    HOME: "/h",
    LANG: "C",
    KEY: "v",
  });
});

it("leaves exported shell functions behind", () => {
  expect(createChildEnvironment({ SHELL: "() { :; }; evil" }, {}, "linux")).toEqual({});
});

it("finds what Windows programs need whatever its case, and lets the configured one win", () => {
  const base = {
    Path: "C:\\x",
    PathExt: ".EXE",
    ComSpec: "cmd.exe",
    SystemRoot: "C:\\W",
    windir: "C:\\W",
    HOME: "x",
  };
  expect(createChildEnvironment(base, { PATH: "C:\\own" }, "win32")).toEqual({
    PathExt: ".EXE",
    ComSpec: "cmd.exe",
    SystemRoot: "C:\\W",
    windir: "C:\\W",
    PATH: "C:\\own",
  });
});
