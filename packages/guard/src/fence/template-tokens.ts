/** What stands where a token stood. It holds no character that a token could be made of. */
const placeholder = "(template token removed)";

/** More passes than honest text needs; a text that still holds tokens then was made to. */
const maxPasses = 4;

/** Characters that look like those of the tokens and that NFKC leaves as they are. */
const lookalikes: Readonly<Record<string, string>> = {
  "\u2039": "<",
  "\u2329": "<",
  "\u276c": "<",
  "\u276e": "<",
  "\u27e8": "<",
  "\u3008": "<",
  "\u203a": ">",
  "\u232a": ">",
  "\u276d": ">",
  "\u276f": ">",
  "\u27e9": ">",
  "\u3009": ">",
  "\u01c0": "|",
  "\u2223": "|",
  "\u2502": "|",
  "\u2503": "|",
  "\u2758": "|",
  "\u05c0": "|",
  "\u2581": "_",
  "\u2044": "/",
  "\u2215": "/",
  "\u2773": "]",
  "\u2772": "[",
  "\u3010": "[",
  "\u3011": "]",
};

const families: readonly RegExp[] = [
  /** ChatML, Llama 3, Phi, DeepSeek and Harmony: `<|im_start|>`. */
  /<\s*\|[^<>\n]{0,80}\|\s*>/g,
  /** Llama 2 and Mistral. */
  /\[\s*\/?\s*(?:inst|tool_calls|available_tools|tool_results|system_prompt|sys)\s*\]/g,
  /<\s*<\s*\/?\s*sys\s*>\s*>/g,
  /** Marks of a sequence or a turn. */
  /<\s*\/?\s*(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn)\s*>/g,
  /** Calls of tools and their results, whatever the name space. */
  /<\s*\/?\s*(?:[a-z]+:)?(?:function_calls?|tool_calls?|tool_use|tool_responses?|tool_results?|function_results?|function_response|invoke|system_prompt)(?![a-z_])[^<>]{0,200}>?/g,
  /<\s*\/?\s*(?:antml:|function\s*=)[^<>]{0,200}>?/g,
];

/** Without one of these no token can be there; most text has none. */
const mayHoldToken = /[<[\u2039\u2329\u276c\u276e\u27e8\u3008\u2772\u3010\uff1c\ufe64\uff3b]/;

/**
 * Takes out of a text what a model's chat template would read as the border of a message, a role or a call: also
 * where it is written with invisible characters in between, with look-alikes or in another letter case.
 *
 * @param text - Text of others.
 * @returns The text with a visible placeholder for each token; the same text when it holds none.
 */
export function neutraliseTemplateTokens(text: string): string {
  let clean = text;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    if (!mayHoldToken.test(clean)) return clean;
    const next = replaceTokens(clean);
    if (next === clean) return clean;
    clean = next;
  }
  // Tokens nested so that each removal makes another: no bracket is left to make one of.
  return clean.replace(new RegExp(mayHoldToken, "g"), "(");
}

function replaceTokens(text: string): string {
  const { folded, origins } = fold(text);
  const spans = families
    .flatMap((family) =>
      [...folded.matchAll(family)].map((found) => ({
        from: found.index,
        to: found.index + found[0].length,
      })),
    )
    .toSorted((one, other) => one.from - other.from);
  let clean = "";
  let at = 0;
  for (const { from, to } of spans) {
    const start = origins[from] ?? text.length;
    if (start < at) continue;
    clean += text.slice(at, start) + placeholder;
    at = origins[to] ?? text.length;
  }
  return clean + text.slice(at);
}

/** The text as a careless reader sees it, with the place of each of its characters in the original. */
function fold(text: string): { readonly folded: string; readonly origins: readonly number[] } {
  const parts: string[] = [];
  const origins: number[] = [];
  let at = 0;
  for (const character of text) {
    const seen = foldCharacter(character);
    for (let unit = 0; unit < seen.length; unit += 1) origins.push(at);
    parts.push(seen);
    at += character.length;
  }
  return { folded: parts.join(""), origins };
}

function foldCharacter(character: string): string {
  if (character < "\u0080") return character.toLowerCase();
  if (/\p{Default_Ignorable_Code_Point}|\p{Cf}/u.test(character)) return "";
  return (lookalikes[character] ?? character.normalize("NFKC")).toLowerCase();
}
