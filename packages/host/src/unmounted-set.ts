import { toolSet, type MissingServer, type ToolSet } from "@postern/tool";

/**
 * Makes a set without tools that names servers which stay out, so that whoever lists learns of them.
 *
 * @param servers - Reasons by server name.
 * @returns The set.
 */
export function unmountedSet(servers: ReadonlyMap<string, string>): ToolSet {
  const since = Date.now();
  const missing: readonly MissingServer[] = Object.freeze(
    [...servers].map(([server, reason]) => Object.freeze({ server, reason, since })),
  );
  const empty = toolSet([]);
  return {
    list: (context) => empty.list(context),
    call: (call) => empty.call(call),
    restrict: (rule) => empty.restrict(rule),
    missing: () => missing,
    onChange: (listener) => empty.onChange(listener),
  };
}
