import type { ProcessRow } from "./process-table.js";
import type { ProcessTree } from "./process-tree.js";
import { watchGroup } from "./watchdog.js";

/** How often what an ended leader left behind is looked at. */
const remainsIntervalMs = 500;

/**
 * Looks after what an ended leader left behind: its group is released when it is empty, because its number may then
 * become someone else's; the groups of members that left it die with the host too.
 *
 * @param tree - The leader's tree.
 * @param leader - The leader.
 * @param release - Has the leader's group forgotten.
 */
export function watchRemains(tree: ProcessTree, leader: number, release: () => void): void {
  const strays = new Map<number, () => void>();
  const update = (members: readonly ProcessRow[]): void => {
    const groups = new Set(members.map((row) => row.group));
    for (const group of groups)
      if (group !== leader && !strays.has(group)) strays.set(group, watchGroup(group));
    for (const [group, forget] of strays) {
      if (groups.has(group)) continue;
      forget();
      strays.delete(group);
    }
  };
  const look = async (): Promise<void> => {
    if (!tree.hasGroup() || strays.size > 0) update(await tree.findMembers());
    if (!tree.ownsNumber()) release();
    if (tree.ownsNumber() || strays.size > 0)
      setTimeout(() => void look(), remainsIntervalMs).unref();
  };
  void tree.findMembers().then((members) => {
    if (process.platform !== "win32") update(members);
    return look();
  });
}
