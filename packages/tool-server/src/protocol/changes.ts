import type { ListingKind, ToolSet } from "@postern/tool";

/** The three notifications that a changed list is told by. */
export type ChangedList = "tools" | "prompts" | "resources";

/** Changes that come within this time are told once. */
const gatherMs = 50;

const lists: Readonly<Record<ListingKind, ChangedList>> = {
  tool: "tools",
  prompt: "prompts",
  resource: "resources",
  template: "resources",
};

/**
 * Listens to a set, and tells which lists changed: each once for a burst of changes.
 *
 * @param tools - The set.
 * @param listener - Told of each changed list.
 * @returns Stops listening when disposed; what was gathered is dropped.
 */
export function createChangeWatch(
  tools: ToolSet,
  listener: (changed: ChangedList) => void,
): Disposable {
  const gathered = new Set<ChangedList>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    timer = undefined;
    const changed = [...gathered];
    gathered.clear();
    for (const list of changed) listener(list);
  };
  const subscription = tools.onChange(({ kinds }) => {
    for (const kind of kinds) gathered.add(lists[kind]);
    timer ??= setTimeout(tell, gatherMs);
  });
  return {
    [Symbol.dispose]: () => {
      subscription[Symbol.dispose]();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** The notification of a changed list. */
export function toChangeMethod(changed: ChangedList): string {
  return `notifications/${changed}/list_changed`;
}
