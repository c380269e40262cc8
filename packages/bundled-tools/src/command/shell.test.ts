import { expect, it } from "vitest";
import { findShell } from "./shell.js";

it("is /bin/sh", () => {
  expect(findShell("linux", { SHELL: "/bin/fish" })("echo a")).toEqual({
    command: "/bin/sh",
    args: ["-c", "--", "echo a"],
  });
});

it("is what ComSpec names on Windows, which gets the command as it is", () => {
  expect(findShell("win32", { comspec: "C:\\sys\\cmd.exe" })('echo "a b"')).toEqual({
    command: "C:\\sys\\cmd.exe",
    args: ["/d", "/s", "/c", '"echo "a b""'],
    windowsVerbatimArguments: true,
  });
});

it("is cmd.exe on a Windows without ComSpec", () => {
  expect(findShell("win32", {})("dir")).toMatchObject({ command: "cmd.exe" });
});
