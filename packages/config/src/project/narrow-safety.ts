import { toPathText } from "../json/path-text.js";
import { joinPaths, toRaising } from "./merge-configs.js";
import type { GuardSettings, PathSettings } from "./postern-config.js";

/** Is told one thing that does not count: the setting, what holds, and what the file asks for. */
export type Note = (path: string, from: string, to: string) => void;

/** From the loosest to the strictest; what holds where nothing is said comes with it. */
const modes = { order: ["off", "observe", "enforce"], unsaid: "off" } as const;
const approvals = { order: ["allow", "ask", "deny"], unsaid: "ask" } as const;
const consents = { order: ["off", "ask", "deny"], unsaid: "ask" } as const;

interface Scale<Value extends string> {
  readonly order: readonly Value[];
  readonly unsaid: Value;
}

/**
 * Takes from a project's `guard` what is stricter than the owner's.
 *
 * @param project - What the project's file says.
 * @param owner - What the owner's says.
 * @param note - Is told what would be looser.
 */
export function narrowGuard(
  project: GuardSettings | undefined,
  owner: GuardSettings | undefined,
  note: Note,
): GuardSettings | undefined {
  if (project === undefined) return owner;
  const mode = stricter(modes, [owner?.mode, project.mode], (from, to) =>
    note("guard.mode", from, to),
  );
  const approval = stricter(approvals, [owner?.approvals, project.approvals], (from, to) =>
    note("guard.approvals", from, to),
  );
  if (owner?.taint === true && project.taint === false) note("guard.taint", "true", "false");
  const taint = project.taint === true ? true : owner?.taint;
  for (const { name, decision } of project.rules ?? [])
    if (decision === "allow") note(toPathText(["guard", "rules", name]), "not there", "allow");
  // What allows has no effect in a project's rules, so it is not carried along.
  const raising = toRaising(project.rules?.filter(({ decision }) => decision !== "allow"));
  const rules = [...(owner?.rules ?? []), ...raising];
  return Object.freeze({
    ...(mode === undefined ? {} : { mode }),
    ...(approval === undefined ? {} : { approvals: approval }),
    ...(taint === undefined ? {} : { taint }),
    ...(rules.length === 0 ? {} : { rules: Object.freeze(rules) }),
  });
}

/**
 * Takes from a project's `paths` what is stricter than the owner's. Its root never counts: whether that is narrower
 * depends on links that the project makes.
 *
 * @param project - What the project's file says.
 * @param owner - What the owner's says.
 * @param note - Is told what would be looser.
 */
export function narrowPaths(
  project: PathSettings | undefined,
  owner: PathSettings | undefined,
  note: Note,
): PathSettings | undefined {
  if (project === undefined) return owner;
  if (project.root !== undefined && project.root !== owner?.root)
    note("paths.root", owner?.root ?? "the project's folder", project.root);
  const consent = stricter(consents, [owner?.consent, project.consent], (from, to) =>
    note("paths.consent", from, to),
  );
  return Object.freeze({
    ...(owner?.root === undefined ? {} : { root: owner.root }),
    ...(consent === undefined ? {} : { consent }),
    ...joinPaths(owner, project),
  });
}

function stricter<Value extends string>(
  { order, unsaid }: Scale<Value>,
  [owner, project]: readonly [Value | undefined, Value | undefined],
  note: (from: Value, to: Value) => void,
): Value | undefined {
  if (project === undefined) return owner;
  const held = owner ?? unsaid;
  if (order.indexOf(project) >= order.indexOf(held)) return project;
  note(held, project);
  return owner;
}
