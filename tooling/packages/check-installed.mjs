import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { runProcess } from "./run-process.mjs";

/**
 * @typedef {import("./pack.mjs").Packed} Packed
 * @typedef {{ readonly title: string, readonly problem?: string }} Outcome
 * @typedef {{ readonly label: string, readonly env: NodeJS.ProcessEnv }} Release A Node release: `env` is where `node` is it.
 */

const quoted =
  /^<!-- example: (\S+) -->\n+```ts\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm;

/**
 * Installs one tarball in an empty folder, as someone would who needs nothing else of ours, and uses it: checks the
 * examples of the README against the published types, and under each Node release imports each export and runs each
 * program and each example.
 *
 * @param {Packed} packed
 * @param {{ all: readonly Packed[], folder: string, root: string, releases: readonly Release[] }} context
 * @returns {Promise<readonly Outcome[]>}
 */
export async function checkInstalled(packed, { all, folder, root, releases }) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify(toProject(packed, all)));
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const installed = await runProcess("npm", args, { cwd: folder });
  const first = toOutcome("installs alone", installed);
  if (first.problem !== undefined) return [first];
  const outcomes = [first, ...(await writeExamples(packed, folder, root))];
  for (const { label, env } of releases)
    for (const use of [importExports, runPrograms, runExamples])
      for (const { title, ...rest } of await use(packed, { folder, env }))
        outcomes.push({ title: `${title}${label}`, ...rest });
  return outcomes;
}

/** @typedef {{ folder: string, env: NodeJS.ProcessEnv }} Place */

/**
 * What it depends on of ours is the tarball beside it, not what a registry may have.
 *
 * @param {Packed} packed
 * @param {readonly Packed[]} all
 */
function toProject({ name, tarball, directory, manifest }, all) {
  const others = all.filter((other) => other.name !== name);
  const { dependencies, peerDependencies } = manifest;
  const usesZod = readExamples(directory).some(({ code }) => /from "zod"/.test(code));
  const zod = usesZod && !("zod" in { ...dependencies, ...peerDependencies }) ? { zod: "^4" } : {};
  return {
    private: true,
    type: "module",
    dependencies: { [name]: `file:${tarball}`, ...zod },
    overrides: Object.fromEntries(others.map((other) => [other.name, `file:${other.tarball}`])),
  };
}

/**
 * @param {Packed} packed
 * @param {Place} place
 */
async function importExports({ name, manifest }, { folder, env }) {
  const outcomes = [];
  for (const subpath of Object.keys(manifest.exports ?? {})) {
    const specifier = name + subpath.slice(1);
    const attributes = specifier.endsWith(".json") ? ', { with: { type: "json" } }' : "";
    const code = `await import(${JSON.stringify(specifier)}${attributes})`;
    const args = ["--no-warnings", "--input-type=module", "--eval", code];
    outcomes.push(
      toOutcome(`imports ${specifier}`, await runProcess("node", args, { cwd: folder, env })),
    );
  }
  return outcomes;
}

/**
 * @param {Packed} packed
 * @param {Place} place
 */
async function runPrograms({ manifest }, { folder, env }) {
  const outcomes = [];
  for (const bin of Object.keys(manifest.bin ?? {})) {
    const command = join(folder, "node_modules/.bin", bin);
    const done = await runProcess(command, ["--version"], { cwd: folder, env, timeoutMs: 30_000 });
    const told = done.stdout.includes(manifest.version);
    outcomes.push(toOutcome(`${bin} --version`, told ? done : { ...done, code: null }));
  }
  return outcomes;
}

/**
 * Writes each example as TypeScript, whose types are checked, and as what Node 20 runs.
 *
 * @param {Packed} packed
 * @param {string} folder
 * @param {string} root
 */
async function writeExamples({ directory }, folder, root) {
  const outcomes = [];
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  for (const { name, code } of readExamples(directory)) {
    await writeFile(join(folder, name), code);
    outcomes.push(await checkTypes(name, folder, root));
    const { outputText } = ts.transpileModule(code, { compilerOptions });
    await writeFile(join(folder, toScript(name)), outputText);
  }
  return outcomes;
}

/**
 * @param {Packed} packed
 * @param {Place} place
 */
async function runExamples({ directory }, { folder, env }) {
  const outcomes = [];
  for (const { name, output } of readExamples(directory)) {
    const done = await runProcess("node", [toScript(name)], {
      cwd: folder,
      env,
      timeoutMs: 60_000,
    });
    const outcome = toOutcome(`example ${name} runs`, done);
    outcomes.push(
      outcome.problem === undefined && output !== undefined && done.stdout !== output
        ? { ...outcome, problem: `printed\n${done.stdout}instead of\n${output}` }
        : outcome,
    );
  }
  return outcomes;
}

/** @param {string} name */
function toScript(name) {
  return name.replace(/\.ts$/, ".mjs");
}

/**
 * Only what we publish counts: a third party's declarations are its own.
 *
 * @param {string} name
 * @param {string} folder
 * @param {string} root
 */
async function checkTypes(name, folder, root) {
  const flags = "--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2023";
  const roots = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
  const args = [...flags.split(" "), "--lib", "es2023,esnext.disposable", ...roots, name];
  const tsc = join(root, "node_modules/.bin/tsc");
  const { output } = await runProcess(tsc, args, { cwd: folder });
  const faults = output
    .split("\n")
    .filter((line) => /^(?!node_modules\/(?!@postern\/)).*error TS\d/.test(line));
  return {
    title: `types of ${name}`,
    ...(faults.length > 0 ? { problem: faults.join("\n") } : {}),
  };
}

/** @param {string} directory */
function readExamples(directory) {
  const path = join(directory, "README.md");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return [...text.matchAll(quoted)].map(([, name = "", code = "", output]) => ({
    name,
    code,
    output,
  }));
}

/**
 * @param {string} title
 * @param {{ code: number | null, output: string }} done
 * @returns {Outcome}
 */
function toOutcome(title, { code, output }) {
  return code === 0 ? { title } : { title, problem: output.trim() || `exit code ${code}` };
}
