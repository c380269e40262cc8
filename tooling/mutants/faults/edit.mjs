const room = "packages/bundled-tools/src/edit";
const applying = { test: `${room}/apply-edits.test.ts` };
const tools = { test: `${room}/edit-tools.test.ts` };

/** Faults of `edit_file` and `write_file`. */
export const faults = [
  {
    item: "W-E1",
    what: "text that stands there twice is replaced where it stands first",
    file: `${room}/find-spans.ts`,
    find: ": toAmbiguous(lines, exact, search);",
    replace: ': { matcher: "exact", spans: exact.slice(0, 1), lines };',
    ...applying,
    name: "applyEdits() refuses text that stands there twice exactly, and never falls through to a looser match",
  },
  {
    item: "W-E2",
    what: "blanks are looked for with a looser matcher",
    file: `${room}/find-spans.ts`,
    find: 'const isBlank = wanted.text.trim() === "";',
    replace: `const isBlank = false;
  if (wanted.text.trim() === "")
    return { matcher: "line-trimmed", spans: looseMatchers[0][1](lines, wanted), lines };`,
    ...applying,
    name: "applyEdits() matches blank text only exactly, also with replace_all",
  },
  {
    item: "W-E3",
    what: "a line break is added where the file had none",
    file: `${room}/apply-edits.ts`,
    find: "const lacksBreak = wanted.endsLine &&",
    replace: "const lacksBreak = false &&",
    ...applying,
    name: "applyEdits() adds no line break to the end of a file that has none",
  },
  {
    item: "W-E3",
    what: "a replacement keeps the indentation that the caller gave it",
    file: `${room}/reindent.ts`,
    find: "if (block === undefined) return replacement;",
    replace: "return replacement;",
    ...applying,
    name: "applyEdits() gives a replacement the indentation of the block it replaces",
  },
  {
    item: "W-E4",
    what: "all lines of a file get one ending",
    file: `${room}/apply-edits.ts`,
    find: 'return parts.join("");',
    replace: 'return toEnding(toLf(parts.join("")), source.ending);',
    ...applying,
    name: "applyEdits() keeps every ending outside the replaced text, in a file that mixes them",
  },
  {
    item: "W-E5",
    what: "the file is put in place of the link that leads to it",
    file: "packages/bundled-tools/src/files/write-place.ts",
    find: "return createWritePlace({ folder, name, path, existing });",
    replace: "return createWritePlace({ folder, name: basename(path), path, existing });",
    ...tools,
    name: "edit_file keeps links, mode, mark and endings",
  },
  {
    item: "W-E6",
    what: "only copies that equal the first place are replaced",
    file: `${room}/find-spans.ts`,
    find: "spans: withoutOverlaps(spans), lines }",
    replace: `spans: withoutOverlaps(spans).filter(
          ({ start, end }, _, [first]) =>
            lines.text.slice(start, end) === lines.text.slice(first.start, first.end),
        ), lines }`,
    ...applying,
    name: "applyEdits() replaces every block that a loose match finds, and not only equal copies",
  },
  {
    item: "W-E6",
    what: "what someone else wrote meanwhile is overwritten",
    file: `${room}/save-text.ts`,
    find: "if (!isSame) throw",
    replace: "if (false) throw",
    test: `${room}/save-text.test.ts`,
    name: "leaves a file alone that someone changed 'in place' since it was read",
  },
  {
    item: "W-E6",
    what: "only the first of several edits is applied",
    file: `${room}/apply-edits.ts`,
    find: "for (const edit of edits) {",
    replace: "for (const edit of edits.slice(0, 1)) {",
    ...applying,
    name: "applyEdits() applies several edits in order, all or none",
  },
  {
    item: "W-E7",
    what: "a candidate out of proportion ends the search",
    file: `${room}/find-spans.ts`,
    find: "if (spans.length === 0) continue;",
    replace: `if (find(lines, search.wanted).some((span) => !isUsable(lines, span, search.wanted))) break;
    if (spans.length === 0) continue;`,
    ...applying,
    name: "applyEdits() goes on to later matchers when a candidate is out of proportion",
  },
  {
    item: "14",
    what: "edits of one file run beside each other",
    file: `${room}/path-queue.ts`,
    find: "const mine = (before ?? Promise.resolve()).then(work, work);",
    replace: "const mine = work();",
    ...tools,
    name: "edit_file does two edits of one file that come at once in turn, and loses none",
  },
];
