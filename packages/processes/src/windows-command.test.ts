import { describe, expect, it } from "vitest";
import { toWindowsTarget } from "./windows-command.js";

const env = { Path: "C:\\tools;C:\\node", PATHEXT: ".EXE;.CMD", ComSpec: "C:\\sys\\cmd.exe" };

const toTarget = (command: string, files: readonly string[], args: readonly string[] = []) =>
  toWindowsTarget({ command, args, env, cwd: "C:\\work", isFile: (path) => files.includes(path) });

describe("toWindowsTarget", () => {
  it("finds a program through Path and PATHEXT, and hands it the arguments as they are", () => {
    expect(toTarget("uvx", ["C:\\node\\uvx.EXE"], ['a "b"'])).toEqual({
      file: "C:\\node\\uvx.EXE",
      args: ['a "b"'],
      verbatim: false,
    });
  });

  it("runs npx, a script, through cmd.exe", () => {
    expect(toTarget("npx", ["C:\\node\\npx.CMD"], ["-y", "server"])).toEqual({
      file: "C:\\sys\\cmd.exe",
      args: ["/d", "/s", "/c", '"C:\\node\\npx.CMD ^^^"-y^^^" ^^^"server^^^""'],
      verbatim: true,
    });
  });

  it("lets no argument of a script become a command", () => {
    const target = toTarget("npx", ["C:\\node\\npx.CMD"], ['" & calc.exe & %PATH%', "end\\"]);
    expect(target).toMatchObject({
      args: [
        "/d",
        "/s",
        "/c",
        '"C:\\node\\npx.CMD ^^^"\\^^^"^^^ ^^^&^^^ calc.exe^^^ ^^^&^^^ ^^^%PATH^^^%^^^" ^^^"end\\\\^^^""',
      ],
    });
  });

  it("refuses a line break for a script, and gives it to a program", () => {
    expect(toTarget("npx", ["C:\\node\\npx.CMD"], ["a\nb"])).toBe("unsafe");
    expect(toTarget("npx", ["C:\\node\\npx.EXE"], ["a\nb"])).toMatchObject({ args: ["a\nb"] });
  });

  it("does not start a file of the working folder for a bare name", () => {
    expect(toTarget("npx", ["C:\\work\\npx.CMD"])).toBeUndefined();
    expect(toTarget(".\\npx", ["C:\\work\\npx.CMD"])).toMatchObject({ verbatim: true });
  });
});
