import { describe, expect, it } from "vitest";
import { findProgramText } from "./program-text.js";

/** The program that runs the last word of a command line as text; words are cut at blanks. */
function runnerOf(line: string): string | undefined {
  const words = line.split(" ");
  const found = findProgramText(words);
  return found !== undefined && found.from < words.length ? found.program : undefined;
}

describe("findProgramText()", () => {
  it.each([
    ["sh -c TEXT", "sh"],
    ["/bin/bash -lc TEXT", "bash"],
    ["bash -ec TEXT", "bash"],
    ["bash -eo pipefail -c TEXT", "bash"],
    ["bash --norc --noprofile -c TEXT", "bash"],
    ["bash --rcfile f -c TEXT", "bash"],
    ["bash +x -c TEXT", "bash"],
    ["zsh -ic TEXT", "zsh"],
    ["fish --command=TEXT", "fish"],
    ["fish --comm TEXT", "fish"],
    ["fish -C TEXT", "fish"],
    ["C:\\Windows\\System32\\cmd.exe /s /c TEXT", "cmd"],
    ["cmd /d/s/c TEXT", "cmd"],
    ["tool.cmd TEXT", "cmd"],
    ["C:\\npm\\npx.CMD -y pkg TEXT", "cmd"],
    ["powershell -Command TEXT", "powershell"],
    ["powershell.exe -NoProfile -ExecutionPolicy Bypass -c TEXT", "powershell"],
    ["powershell -EncodedCommand TEXT", "powershell"],
    ["powershell -enc TEXT", "powershell"],
    ["powershell -NoProfile TEXT", "powershell"],
    ["powershell -Command TEXT -File x", "powershell"],
    ["pwsh -CommandWithArgs TEXT", "pwsh"],
    ["pwsh /c TEXT", "pwsh"],
    ["node -e TEXT", "node"],
    ["node --eval=TEXT", "node"],
    ["node --eval TEXT", "node"],
    ["node -pe TEXT", "node"],
    ["node --print TEXT", "node"],
    ["node --no-warnings -r ./x.js -e TEXT", "node"],
    ["node --import=data:text/javascript,TEXT", "node"],
    ["node20 -p TEXT", "node"],
    ["tsx watch -e TEXT", "tsx"],
    ["bun -e TEXT", "bun"],
    ["bun exec TEXT", "bun"],
    ["deno eval TEXT", "deno"],
    ["deno --quiet eval --ext=ts TEXT", "deno"],
    ["deno repl --eval TEXT", "deno"],
    ["python3 -c TEXT", "python"],
    ["python3.12 -Ic TEXT", "python"],
    ["python -W ignore -X utf8 -c TEXT", "python"],
    ["python -cTEXT", "python"],
    ["py -3 -c TEXT", "py"],
    ["pypy3 -uc TEXT", "pypy"],
    ["perl -e TEXT", "perl"],
    ["perl -lane TEXT", "perl"],
    ["perl -i.bak -pe TEXT", "perl"],
    ["perl -MFoo=TEXT", "perl"],
    ["ruby -rjson -e TEXT", "ruby"],
    ["ruby -ne TEXT", "ruby"],
    ["php -r TEXT", "php"],
    ["lua5.4 -e TEXT", "lua"],
    ["osascript -e TEXT", "osascript"],
    ["Rscript -e TEXT", "rscript"],
    ["elixir --eval TEXT", "elixir"],
    ["awk TEXT", "awk"],
    ["ssh host TEXT", "ssh"],
    ["make X=TEXT", "make"],
    ["watch TEXT", "watch"],
    ["env A=1 bash -c TEXT", "bash"],
    ["env -S TEXT", "env"],
    ["env -i --split-string=TEXT", "env"],
    ["env -u X -vS TEXT", "env"],
    ["sudo -u me sh -c TEXT", "sh"],
    ["timeout 5 make X=TEXT", "make"],
    ["busybox sh -c TEXT", "sh"],
    ["npx -c TEXT", "npx"],
    ["npx -y --call TEXT", "npx"],
    ["npx -p pkg --call=TEXT", "npx"],
    ["npm exec -c TEXT", "npm"],
    ["npm exec pkg --call TEXT", "npm"],
    ["pnpm dlx -c TEXT", "pnpm"],
    ["npx -y node@20 -e TEXT", "node"],
    ["npx tsx -e TEXT", "tsx"],
    ["uv run python -c TEXT", "python"],
    ["docker run -i image sh -c TEXT", "sh"],
    ["docker run --entrypoint sh image -c TEXT", "sh"],
    ["docker run --entrypoint=/bin/sh -i image -c TEXT", "sh"],
    ["kubectl exec pod -- bash -c TEXT", "bash"],
    ["su me -c TEXT", "su"],
    ["script -qc TEXT", "script"],
    ["nodemon --exec TEXT", "nodemon"],
    ["sh -c echo $1 _ TEXT", "sh"],
    ["node server.js bash -c TEXT", "bash"],
  ])("finds it in %s", (line, program) => {
    expect(runnerOf(line)).toBe(program);
  });

  it.each([
    "npx -y some-server --api-key=VALUE",
    "npx -y some-server -c VALUE",
    "npx -y some-server -e VALUE",
    "npm exec -- some-server -c VALUE",
    "node server.js -e VALUE",
    "node --no-warnings server.js -p VALUE",
    "node -r ./x.js server.js -e VALUE",
    "tsx watch server.ts -p VALUE",
    "python -m some_server -c VALUE",
    "python server.py -c VALUE",
    "bash run.sh -c VALUE",
    "bash -- run.sh -c VALUE",
    "sh VALUE",
    "deno run server.ts eval VALUE",
    "bun run server.ts -e VALUE",
    "pwsh -File server.ps1 -Command VALUE",
    "powershell -NoProfile -File server.ps1 VALUE",
    "pwsh server.ps1 VALUE",
    "ruby server.rb -e VALUE",
    "uvx some-server --token VALUE",
    "docker run -i -e TOKEN=VALUE image",
    "some-server --make VALUE",
    "some-server make VALUE",
    "npx some-server watch VALUE",
    "/opt/server VALUE",
  ])("finds none in %s", (line) => {
    expect(runnerOf(line)).toBeUndefined();
  });

  it("counts the option itself and every word after it", () => {
    expect(findProgramText(["env", "bash", "-c", "a", "b"])).toEqual({ from: 2, program: "bash" });
    expect(findProgramText(["node", "--eval=x"])).toEqual({ from: 1, program: "node" });
  });
});
