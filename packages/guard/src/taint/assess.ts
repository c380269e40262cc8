import type { CallShape, Leaf } from "./call-shape.js";
import { isDestination } from "./call-shape.js";
import { findDecodedTexts } from "./decoded-texts.js";
import { findReferences, type Conversation, type Ledger } from "./ledger.js";
import { toNormal } from "./normal-text.js";
import type { TaintFinding, TaintRule } from "./rules.js";
import { isRunnableFile } from "./runnable-file.js";
import { snippetLength, type SnippetMatch } from "./snippet-index.js";
import { readFileUse, toPlainPath } from "./tainted-files.js";

/** What a call is judged against. */
export interface Assessed {
  readonly ledger: Ledger;
  readonly conversation: Conversation;
  /** Who calls, among the workers of a fan-out. */
  readonly worker: string;
  readonly isOn: (rule: TaintRule) => boolean;
}

/** What a call does with untrusted text. */
export interface Assessment {
  readonly findings: readonly TaintFinding[];
  /** Files that hold untrusted text once the call was carried out. */
  readonly taints: readonly string[];
}

/** Commands that can send something out. */
const reachesOut =
  /:\/\/|\b(?:curl|wget|nc|ncat|netcat|socat|ssh|scp|sftp|rsync|ftp|telnet|dig|nslookup|invoke-webrequest|iwr|gh|git\s+(?:clone|fetch|pull|push|remote))\b/i;

/**
 * Tells whether a command can reach an open world, as far as its text says.
 *
 * @param command - The command.
 * @returns True when it names a URL or a program that connects.
 */
export function mayReachOut(command: string): boolean {
  return reachesOut.test(command);
}

/**
 * Judges a call before it is carried out.
 *
 * @param shape - What the call can do.
 * @param known - What is known of the conversation.
 * @returns Why it must be asked about, and which files it taints.
 */
export function assess(shape: CallShape, known: Assessed): Assessment {
  const { conversation } = known;
  const changes = shape.isExec || shape.isSend || shape.writes.length > 0;
  const findings: TaintFinding[] = [];
  if (changes && conversation.isEvicted)
    findings.push({ rule: "evicted", reason: "more untrusted text was read than is remembered" });
  else if (changes && conversation.isArmed && known.isOn("narrowing"))
    findings.push({ rule: "narrowing", reason: "untrusted text was read in this conversation" });
  const commands = conversation.files.size === 0 ? [] : shape.commands;
  const uses = commands.map((command) =>
    readFileUse(command, (path) => conversation.isTaintedFile(path)),
  );
  const content = changes ? findTaint(shape, known) : undefined;
  if (content !== undefined) findings.push(...judgeContent(shape, content));
  if (shape.isExec) findings.push(...judgeExec(shape, known));
  if (
    known.isOn("exec_file") &&
    (uses.some(({ isRun }) => isRun) || sendsTaintedFile(shape, known))
  )
    findings.push({ rule: "exec_file", reason: "it runs a file that holds untrusted text" });
  if (shape.isSend && known.isOn("send_destination") && hasTaintedDestination(shape, known))
    findings.push({ rule: "send_destination", reason: "untrusted text named where it goes" });
  if (known.isOn("send_local") && sendsLocal(shape, known))
    findings.push({ rule: "send_local", reason: "it carries text of local files out" });
  if (known.isOn("write_content") && downloadsRunnable(shape))
    findings.push({ rule: "write_content", reason: "it fetches a file that something will run" });
  const holder = shape.isExec ? findRedirects(shape.commands) : shape.writes;
  const written = content === undefined ? [] : holder;
  return {
    findings: findings.filter(({ rule }) => rule === "evicted" || known.isOn(rule)),
    taints: [...written, ...uses.flatMap(({ made }) => made)],
  };
}

type Flow = "own" | "split_flow" | "description";

function judgeContent(shape: CallShape, flow: Flow): readonly TaintFinding[] {
  const source = {
    own: "untrusted text",
    split_flow: "untrusted text that another worker read, or halves of two",
    description: "text of a tool's description",
  }[flow];
  const findings: TaintFinding[] = [];
  const add = (rule: TaintRule, reason: string): number =>
    findings.push({ rule: flow === "own" ? rule : flow, reason });
  if (shape.isExec) add("exec_content", `it runs ${source}`);
  else if (shape.isSend) add("send_content", `it sends ${source} on`);
  const runnable = shape.writes.some((path) => isRunnableFile(path));
  if (runnable) add("write_content", `it writes ${source} into a file that something will run`);
  return findings;
}

/** Looks for untrusted text in all arguments: each alone, and joined as a tool may join them. */
function findTaint(shape: CallShape, known: Assessed): Flow | undefined {
  const { conversation, ledger } = known;
  if (conversation.untrusted.isEmpty && ledger.descriptions.isEmpty) return undefined;
  const normal = shape.leaves.map(({ text }) => toNormal(text));
  const texts = [normal.join(" ")];
  if (normal.length > 1) texts.push(normal.map((each) => toEnds(each)).join(""));
  if (known.isOn("encoded"))
    for (const { text } of shape.leaves)
      texts.push(...findDecodedTexts(text).map((each) => toNormal(each)));
  for (const text of texts) {
    const flow = findFlow(text, known);
    if (flow !== undefined) return flow;
  }
  return shape.isExec ? findWhole(shape.commands, known) : undefined;
}

/** Where a long argument meets its neighbours; its middle was searched already. */
function toEnds(text: string): string {
  return text.length <= 4 * snippetLength
    ? text
    : `${text.slice(0, 2 * snippetLength)}\0${text.slice(-2 * snippetLength)}`;
}

function findFlow(text: string, known: Assessed): Flow | undefined {
  const { conversation, ledger } = known;
  const isOwn = (document: number): boolean => conversation.workers[document] === known.worker;
  const admits = (document: number): boolean =>
    (known.isOn("split_flow") || isOwn(document)) &&
    (known.isOn("encoded") || !conversation.decoded.has(document));
  const isSplit = ({ documents }: SnippetMatch): boolean => !documents.every((each) => isOwn(each));
  const matches = conversation.untrusted.find(text, admits);
  if (matches.length > 0) return matches.every((match) => isSplit(match)) ? "split_flow" : "own";
  return known.isOn("description") && ledger.descriptions.find(text).length > 0
    ? "description"
    : undefined;
}

/** A short command that is a value of a result, as a whole. */
function findWhole(commands: readonly string[], known: Assessed): Flow | undefined {
  const workers = commands
    .map((command) => toNormal(command).trim())
    .filter((command) => command.length >= 6 && command.includes(" "))
    .map((command) => known.conversation.values.get(command))
    .filter((worker) => worker !== undefined);
  if (workers.includes(known.worker)) return "own";
  return workers.length > 0 && known.isOn("split_flow") ? "split_flow" : undefined;
}

function judgeExec(shape: CallShape, known: Assessed): readonly TaintFinding[] {
  const references = shape.commands.flatMap((command) => findReferences(command));
  const { sources } = known.conversation;
  const isSource = (each: string): boolean => isKnownTo(known, sources.get(each));
  if (!references.some((each) => isSource(each) || isTaintedReference(each, known))) return [];
  return [{ rule: "exec_reference", reason: "it names an address of untrusted text" }];
}

function isTaintedReference(reference: string, known: Assessed): boolean {
  if (isKnownTo(known, known.conversation.references.get(reference))) return true;
  return known.isOn("description") && known.ledger.descriptionReferences.has(reference);
}

/** Whether what a worker read counts for this one. */
function isKnownTo({ worker, isOn }: Assessed, reader: string | undefined): boolean {
  return reader !== undefined && (reader === worker || isOn("split_flow"));
}

function hasTaintedDestination(shape: CallShape, known: Assessed): boolean {
  return shape.leaves
    .filter((leaf) => isDestination(leaf))
    .flatMap(({ text }) => findReferences(text))
    .some((each) => isTaintedReference(each, known));
}

function sendsTaintedFile({ isSend, writes }: CallShape, { conversation }: Assessed): boolean {
  return isSend && writes.some((path) => conversation.isTaintedFile(toPlainPath(path)));
}

function downloadsRunnable({ isSend, writes, leaves }: CallShape): boolean {
  return (
    isSend &&
    writes.some((path) => isRunnableFile(path)) &&
    leaves.some(({ text }) => /^(?:https?|ftp):\/\/\S+$/i.test(text))
  );
}

/** Without anything untrusted, nobody but the user can have asked for it. */
function sendsLocal(shape: CallShape, known: Assessed): boolean {
  const { conversation, ledger } = known;
  const mayBeMisled =
    conversation.isArmed || (known.isOn("description") && !ledger.descriptions.isEmpty);
  const leaves = shape.isExec
    ? shape.leaves.filter(({ text }) => mayReachOut(text))
    : shape.isSend || shape.isQuery
      ? shape.leaves
      : [];
  if (!mayBeMisled || leaves.length === 0) return false;
  if (conversation.local.overflown) return !shape.isQuery;
  return leaves.some((leaf) => carriesLocal(leaf, known));
}

function carriesLocal({ text }: Leaf, known: Assessed): boolean {
  const decoded = known.isOn("encoded") ? findDecodedTexts(text) : [];
  return [text, ...decoded].some((each) => {
    const normal = toNormal(each);
    const matches = known.conversation.local.find(normal);
    // An address that stands in a file as it is carries nothing but itself.
    const isWholeAddress =
      /^https?:\/\/\S+$/.test(normal) &&
      matches.some(({ from, to }) => from <= 0 && to >= normal.length);
    return matches.length > 0 && !isWholeAddress;
  });
}

/** Where a command that holds untrusted text writes to. */
function findRedirects(commands: readonly string[]): readonly string[] {
  return commands.flatMap((command) =>
    [...command.matchAll(/(?:>+|\btee(?:\s+-a)?)\s*([^\s;|&<>]+)/g)].map((found) => found[1] ?? ""),
  );
}
