import type { ProcessRow } from "./process-table.js";
import type { ProcessSystem } from "./process-system.js";

/** A process that we started and all that came from it. */
export interface ProcessTree {
  /** Its living members; also remembers those that left the group, to find them once their parent is gone. */
  findMembers(): Promise<readonly ProcessRow[]>;
  /** A cheap look: false only when the leader's group is empty. */
  hasGroup(): boolean;
  /** Whether the leader's number still belongs to this tree, as far as the last look tells. */
  ownsNumber(): boolean;
  /** Sends SIGTERM to every member. */
  terminate(): Promise<void>;
  /** Sends SIGKILL to every member, leaving none of them the time to start another. */
  kill(): Promise<void>;
}

/** More rounds than any tree needs that is not made to run away. */
const maxFreezeRounds = 20;

const toKey = (row: ProcessRow): string => `${row.pid} ${row.start}`;

/** Adds to the members whoever descends from one, or shares a session with one, until nobody is missing. */
function addRelated(members: Set<ProcessRow>, living: readonly ProcessRow[]): void {
  for (let before = -1; before !== members.size;) {
    before = members.size;
    const pids = new Set([...members].map((row) => row.pid));
    const sessions = new Set([...members].map((row) => row.session));
    for (const row of living)
      if (pids.has(row.parent) || sessions.has(row.session)) members.add(row);
  }
}

/**
 * Follows the tree of a process that leads its own session.
 *
 * Every process of such a session, and of any session made inside it, descends from the leader. So a member is
 * known by its session even when its parent has died.
 *
 * @param leader - The process; at the time of the call it must be alive, or not yet waited for.
 * @param isMarked - Tells of a process that left whether it came from the leader nevertheless.
 */
export function createProcessTree(
  leader: number,
  system: ProcessSystem,
  isMarked: (row: ProcessRow) => boolean = () => false,
): ProcessTree {
  let known: ReadonlySet<string> = new Set();
  // Until its session is empty, the kernel gives the leader's number to nobody else.
  let ownsNumber = true;

  const findMembers = async (): Promise<readonly ProcessRow[]> => {
    const rows = await system.readTable();
    const isOfSession = (row: ProcessRow): boolean =>
      ownsNumber && (row.pid === leader || row.group === leader || row.session === leader);
    const living = rows.filter((row) => !row.ended);
    const members = new Set(living.filter((row) => isOfSession(row) || known.has(toKey(row))));
    addRelated(members, living);
    for (const row of living) if (!members.has(row) && isMarked(row)) members.add(row);
    addRelated(members, living);
    known = new Set([...members].map(toKey));
    ownsNumber &&= rows.some(isOfSession) || system.signal(-leader, 0);
    return [...members];
  };

  const signalAll = (members: readonly ProcessRow[], signal: NodeJS.Signals): void => {
    if (ownsNumber) system.signal(-leader, signal);
    for (const row of members)
      if (!ownsNumber || row.group !== leader) system.signal(row.pid, signal);
  };

  return {
    findMembers,
    hasGroup: () => ownsNumber && system.signal(-leader, 0),
    ownsNumber: () => ownsNumber,
    async terminate() {
      signalAll(await findMembers(), "SIGTERM");
    },
    async kill() {
      const frozen = new Set<string>();
      let members = await findMembers();
      // A stopped process starts no other, so that none can slip away between looking and killing.
      for (let round = 0; round < maxFreezeRounds; round += 1) {
        const fresh = members.filter((row) => !frozen.has(toKey(row)));
        if (fresh.length === 0) break;
        for (const row of fresh) {
          system.signal(row.pid, "SIGSTOP");
          frozen.add(toKey(row));
        }
        members = await findMembers();
      }
      signalAll(members, "SIGKILL");
    },
  };
}
