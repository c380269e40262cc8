import {
  forEachChild,
  parse,
  type Command,
  type Pipeline,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";
import { findWordText } from "../shell-word.js";
import { judgeCommand, toBase } from "./programs.js";

/** A part of a command of which its text does not tell what it touches. */
export interface UnknownPart {
  /** As it is written. */
  readonly raw: string;
  /** Why, in a few words. */
  readonly reason: string;
}

const maxDepth = 8;
const maxLength = 100_000;
const maxParts = 50;
const maxPiped = 50;

/**
 * Finds what of a shell command nobody can tell: programs given as text, words that only the shell knows where a path may
 * stand, names and options that change how the rest is read.
 *
 * @param command - In the language of Bash or POSIX `sh`.
 * @returns The parts; empty when the words say all. A command that cannot be parsed is one part.
 */
export function findUnknownParts(command: string): UnknownParts {
  const reader = new Reader();
  reader.read(command, 0);
  return { parts: reader.found, scripts: reader.scripts };
}

/** What nobody can tell, and what is found on the way. */
export interface UnknownParts {
  readonly parts: readonly UnknownPart[];
  /** Scripts among the words of programs that run them, such as `watch` and `trap`. */
  readonly scripts: readonly string[];
}

/** What its output can be is known well enough: no path, or one below the directory it runs in. */
const tame =
  /^(?:date|nproc|whoami|id|hostname|uname|wc|seq|uuidgen|pwd|arch|tty|git (?:rev-parse|describe|merge-base|rev-list|branch --show-current|symbolic-ref|ls-files|diff --name-only|log -\d+ --format=%[hH])|node (?:-v|--version)|npm (?:-v|--version))\b(?!.*(?:--show-toplevel|--git-dir|--git-common-dir))/;
/** Programs whose words are no paths. */
const textPrograms: ReadonlySet<string> = new Set(
  "echo printf test [ true false : return exit break continue export declare local readonly typeset expr seq sleep kill wait let date shift unset set read basename dirname type which".split(
    " ",
  ),
);
const tameParameters =
  /^[?#$!\-0]$|^(?:RANDOM|SECONDS|LINENO|BASHPID|PPID|UID|EUID|COLUMNS|LINES|HOME|PWD)$/;
const pathVariables =
  /^(?:IFS|CDPATH|PATH|BASH_ENV|ENV|LD_\w+|DYLD_\w+|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|GLOBIGNORE|PS4|BASH_FUNC.*)$/;
const programVariables =
  /^(?:NODE_OPTIONS|NODE_PATH|RUBYOPT|RUBYLIB|PERL5OPT|PERL5LIB|PYTHON\w+|GIT_\w+|\w*PAGER|EDITOR|VISUAL|SHELL|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|MAKEFLAGS|LESSOPEN)$/;
/** Programs that name files below where they look. */
const generators =
  /^(?:git (?:ls-files|diff --name-only|grep -l)|find|fd|rg (?:-l|--files)|grep -\w*l)\b/;
const filters = /^(?:sort|uniq|head|tail|shuf|grep)\b/;
/** What a filter for secret files looks like. */
const secretive = /\\?\.e|env|key|pem|secret|cred|token|\.ssh|\.aws|id_/i;

/** Programs that put what they are given under other names. */
const copiers: ReadonlySet<string> = new Set(["tee", "cp", "mv", "install", "ln"]);

/** The words of a command as far as they are known, the program first. */
interface KnownWords {
  readonly base: string;
  readonly texts: readonly (string | undefined)[];
  readonly raw: string;
}

class Reader {
  readonly found: UnknownPart[] = [];
  readonly scripts: string[] = [];
  readonly #variables = new Map<string, string>();
  /** Variables whose values were written as words, or come from programs that name files below. */
  readonly #safe = new Set<string>();
  readonly #written = new Set<string>();
  #source = "";
  #depth = 0;

  read(script: string, depth: number): void {
    if (depth > maxDepth || script.length > maxLength)
      return this.#add(script, "it is nested too deep, or too long");
    let parsed;
    try {
      parsed = parse(script);
    } catch {
      return this.#add(script, "it cannot be parsed");
    }
    if ((parsed.errors?.length ?? 0) > 0) return this.#add(script, "it cannot be parsed");
    const [source, above] = [this.#source, this.#depth];
    [this.#source, this.#depth] = [script, depth];
    this.#visit(parsed);
    [this.#source, this.#depth] = [source, above];
  }

  #add(raw: string, reason: string): void {
    // Of more nobody is asked: the call is refused for its length.
    if (this.found.length > maxParts || this.found.some((part) => part.raw === raw)) return;
    this.found.push({ raw, reason });
  }

  #visit(node: SyntaxNode, hasInput = false): void {
    if (node.type === "Pipeline") return this.#visitPipeline(node);
    if (node.type === "Command") return this.#visitCommand(node, hasInput);
    if (node.type === "For") {
      if (node.wordlist?.every((word) => this.#isKnown(word)) ?? false)
        this.#safe.add(node.name.value);
      else this.#safe.delete(node.name.value);
    }
    if (node.type === "Word") this.#visitWord(node);
    forEachChild(node, (child) => this.#visit(child, hasInput));
  }

  #visitPipeline({ commands }: Pipeline): void {
    const texts = commands.map((each) => this.#source.slice(each.pos, each.end));
    if (commands.length > maxPiped)
      return this.#add(texts.join(" | ").slice(0, 200), "it is too long");
    for (const [at, each] of commands.entries()) {
      const before = texts.slice(0, at);
      const isNaming =
        at > 0 &&
        generators.test(before[0] ?? "") &&
        before.slice(1).every((text) => filters.test(text)) &&
        !before.some((text) => secretive.test(text));
      if (isNaming) this.#adoptRead(each);
      if (
        at > 0 &&
        each.type === "Command" &&
        toBase(this.#text(each.name) ?? "") === "xargs" &&
        !isNaming
      )
        this.#add(texts.join(" | "), "its words are what another command writes");
      this.#visit(each, at > 0);
    }
  }

  /** `… | while read f` */
  #adoptRead(node: SyntaxNode): void {
    const text = this.#source.slice(node.pos, node.end);
    const name = /^while\s+(?:IFS=\S*\s+)?read\s+(?:-\w+\s+(?:''\s+)?)*(\w+)\s*;/.exec(text)?.[1];
    if (name !== undefined) this.#safe.add(name);
  }

  #visitCommand(command: Command, isPiped: boolean): void {
    const { name, args, redirects, prefix } = command;
    const raw = this.#source.slice(command.pos, command.end);
    for (const each of prefix) if (each.type === "Assignment") this.#assign(each);
    const own = args.flatMap((arg) => (arg.type === "Word" ? [arg] : []));
    for (const each of args) if (each.type === "Assignment") this.#assign(each);
    if ([name, ...own].some((word) => word !== undefined && this.#runs(word)))
      this.#add(raw, "a variable's text is run");
    const input = redirects.filter((each) => each.type !== "Redirect");
    for (const each of redirects)
      if (each.type === "Redirect" && each.target) this.#checkTarget(each.target, each.operator);
    forEachChild(command, (child) => {
      if (child.type !== "Command") this.#visitInner(child);
    });
    if (name === undefined) return;
    const program = this.#text(name);
    if (program === undefined) return this.#add(raw, "only the shell knows which program it is");
    const base = toBase(program);
    const isRunner = isShell(base);
    if (base === "alias" && args.length > 0)
      return this.#add(raw, "it gives a command another name");
    const texts = [program, ...own.map((arg) => this.#text(arg))];
    const judged = judgeCommand({
      words: texts,
      hasInput: isPiped || (input.length > 0 && !isRunner),
    });
    if (judged.reason !== undefined) return this.#add(raw, judged.reason);
    this.#readNested({ base, texts, raw });
    for (const script of judged.scripts) this.#readScript(script.replaceAll("\0", "x"));
    if (isRunner)
      for (const each of input) {
        const text =
          each.type === "HereDoc" ? each.body.text : each.target && this.#text(each.target);
        if (text === undefined) this.#add(raw, "only the shell knows what it runs");
        else this.read(text, this.#depth + 1);
      }
    if (this.#written.size > 0 && this.#runsWritten(base, texts))
      this.#add(raw, "it runs what the same call wrote");
    if (base === "read" || base === "mapfile") return;
    this.#checkWords({ base, texts, raw }, own);
  }

  #readNested({ base, texts, raw }: KnownWords): void {
    const at = texts.findIndex(
      (text, index) =>
        index > 0 &&
        text?.endsWith("c") === true &&
        /^-[A-Za-z]*c$/.test(text) &&
        texts.slice(0, index).some((each) => isShell(toBase(each ?? ""))),
    );
    if (at !== -1) {
      const script = texts[at + 1];
      if (script === undefined) this.#add(raw, "only the shell knows what it runs");
      else this.read(script, this.#depth + 1);
    }
    if (base === "eval") {
      if (texts.includes(undefined)) this.#add(raw, "only the shell knows what it runs");
      else this.read(texts.slice(1).join(" "), this.#depth + 1);
    }
    if (
      (base === "." || base === "source") &&
      (texts[1] === undefined || /^\/dev\/|^\/proc\//.test(texts[1]))
    )
      this.#add(raw, "only the shell knows what it runs");
    if (
      (base === "cd" || base === "pushd") &&
      texts.slice(1).some((text) => text === undefined || text === "-")
    )
      this.#add(raw, "only the shell knows where it goes");
  }

  #runsWritten(base: string, texts: readonly (string | undefined)[]): boolean {
    const isRunner =
      isShell(base) ||
      base === "." ||
      base === "source" ||
      /^(?:python|node|perl|ruby|make|php)/.test(base);
    const run = isRunner ? texts.slice(1) : texts.slice(0, 1);
    return run.some((text) => text !== undefined && this.#written.has(toPlain(text)));
  }

  #readScript(script: string): void {
    this.scripts.push(script);
    this.read(script, this.#depth + 1);
  }

  #visitInner(node: SyntaxNode): void {
    if (node.type === "Word" && node.parts === undefined) return;
    if (
      node.type === "Assignment" ||
      node.type === "Word" ||
      node.type === "Redirect" ||
      node.type === "HereDoc" ||
      node.type === "HereString"
    )
      forEachChild(node, (child) => this.#visitInner(child));
    else this.#visit(node);
  }

  #visitWord(word: Word): void {
    if (word.parts !== undefined) forEachChild(word, (child) => this.#visit(child));
  }

  #assign({
    name,
    value,
    text,
  }: {
    readonly name: string;
    readonly value: Word | { readonly type: "ArrayValue"; readonly elements: readonly Word[] };
    readonly text: string;
  }): void {
    if (pathVariables.test(name) && !(name === "IFS" && /^IFS=(?:|''|""|\$'\\n')$/.test(text)))
      return this.#add(text, "it changes how the shell reads what follows");
    if (value.type !== "Word") {
      if (value.elements.every((word) => this.#isKnown(word))) this.#safe.add(name);
      return;
    }
    const known = this.#text(value);
    if (
      programVariables.test(name) &&
      (known === undefined ||
        /require|import|eval|loader|agentpath|javaagent|[\s!;|&]|^\S*\//.test(known))
    )
      return this.#add(text, "it changes what a program runs");
    if (known !== undefined) this.#variables.set(name, known);
    else {
      this.#variables.delete(name);
      if (this.#isKnown(value)) this.#safe.add(name);
      else this.#safe.delete(name);
    }
  }

  #checkTarget(target: Word, operator: string): void {
    const text = this.#text(target);
    if (text !== undefined && operator.includes(">")) this.#written.add(toPlain(text));
    if (!this.#isKnown(target)) this.#add(target.text, "only the shell knows where it leads");
  }

  #checkWords({ base, texts, raw }: KnownWords, args: readonly Word[]): void {
    if (copiers.has(base))
      for (const text of texts.slice(1)) this.#written.add(toPlain(text ?? ""));
    if (textPrograms.has(base)) return;
    for (const [at, arg] of args.entries()) {
      if (texts[at + 1] !== undefined || this.#isKnown(arg)) continue;
      if (base === "git" && /^(?:-[a-z]*m|--message)$/.test(texts[at] ?? "")) continue;
      if (/^["']?https?:\/\/[\w.-]+[/:]/.test(arg.text)) continue;
      this.#add(arg.text === "" ? raw : arg.text, "only the shell knows what it stands for");
    }
  }

  #text(word: Word | undefined): string | undefined {
    return word === undefined ? undefined : findWordText(word, this.#variables);
  }

  /** Whether all its parts are known, or of a kind that is no path of its own. */
  #isKnown(word: Word): boolean {
    if (this.#text(word) !== undefined) return true;
    return (word.parts ?? []).every((part) => this.#isKnownPart(part));
  }

  #isKnownPart(part: WordPart): boolean {
    switch (part.type) {
      case "DoubleQuoted":
      case "LocaleString":
        return part.parts.every((each) => this.#isKnownPart(each));
      case "SimpleExpansion":
        return this.#isKnownName(part.text.slice(1));
      case "ParameterExpansion":
        if (part.prefix === "#") return true;
        return (
          part.prefix === undefined &&
          (part.operation === undefined || isPlainDefault(part)) &&
          this.#isKnownName(part.parameter)
        );
      case "CommandExpansion":
        return (
          tame.test(part.text.replace(/^(?:\$\(|`)\s*|\s*(?:\)|`)$/g, "")) &&
          !/[;&|]/.test(part.text.slice(2))
        );
      case "ArithmeticExpansion":
        return (part.text.match(/[A-Za-z_]\w*/g) ?? []).every(
          (name) => this.#safe.has(name) || /^-?\d*$/.test(this.#variables.get(name) ?? "\0"),
        );
      case "ExtendedGlob":
        return !/[$`./]/.test(part.text);
      case "BraceExpansion":
        return !/[$`]/.test(part.text);
      case "AnsiCQuoted":
      case "Glob":
      case "Literal":
      case "ProcessSubstitution":
      case "SingleQuoted":
      default:
        return true;
    }
  }

  /** Expansions that run what a variable holds: `${x@P}`, `${!x}`, `$((x))` of a text. */
  #runs(word: Word): boolean {
    const isRunning = (part: WordPart): boolean => {
      if (part.type === "DoubleQuoted") return part.parts.some(isRunning);
      if (part.type === "ArithmeticExpansion")
        return (part.text.match(/[A-Za-z_]\w*/g) ?? []).some((name) =>
          /[[$`]/.test(this.#variables.get(name) ?? ""),
        );
      return (
        part.type === "ParameterExpansion" &&
        (part.prefix === "!" || part.operation?.type === "Transform")
      );
    };
    return word.parts?.some(isRunning) ?? false;
  }

  #isKnownName(name: string): boolean {
    return tameParameters.test(name) || this.#variables.has(name) || this.#safe.has(name);
  }
}

function isPlainDefault({ operation }: Extract<WordPart, { type: "ParameterExpansion" }>): boolean {
  return operation?.type === "Default" && operation.operand.parts === undefined;
}

function isShell(base: string): boolean {
  return /^(?:ba|z|da|k|a|fi)?sh$/.test(base);
}

function toPlain(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
