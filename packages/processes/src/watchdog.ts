import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Reads `+GROUP` and `-GROUP` lines. Their end means that the host is dead, however it died: whatever is still
 * listed gets SIGTERM, and a second later SIGKILL, together with what descends from it in other sessions. Only
 * builtins of the shell and sleep are used, since an image may have nothing else.
 */
const script = `trap '' HUP INT QUIT TERM PIPE USR1 USR2 TSTP
sessions=' '
while IFS= read -r line; do
  group=\${line#?}
  case $line in
  +*) sessions="$sessions$group " ;;
  -*) case $sessions in
    *" $group "*) sessions="\${sessions%%" $group "*} \${sessions#*" $group "}" ;;
    esac ;;
  esac
done
[ "$sessions" = ' ' ] && exit 0
groups=$sessions
find_members() {
  members=' '
  before=
  while [ "$members" != "$before" ]; do
    before=$members
    for file in /proc/[0-9]*/stat; do
      pid=\${file#/proc/}
      pid=\${pid%/stat}
      case $members in *" $pid "*) continue ;; esac
      read -r stat <"$file" || continue
      set -- \${stat##*) }
      [ "$1" = Z ] && continue
      case $sessions in
      *" $4 "*) ;;
      *) case $members in
        *" $2 "*) sessions="$sessions$4 " ;;
        *) continue ;;
        esac ;;
      esac
      members="$members$pid "
    done
  done
}
find_members
for group in $groups; do kill -s TERM -- "-$group"; done
sleep 1
for group in $groups; do kill -s KILL -- "-$group"; done
for round in 1 2 3 4 5; do
  find_members
  [ "$members" = ' ' ] && exit 0
  for pid in $members; do kill -s KILL "$pid"; done
done
`;

const listed = new Set<number>();
let watchdog: ChildProcess | undefined;

function send(line: string): void {
  // Node hands a short line to the kernel inside this call, so our death right after loses nothing.
  watchdog?.stdin?.write(line);
}

/** Starts the watchdog of this process, unless there is one. Without `/bin/sh` there is none. */
export function startWatchdog(): void {
  if (watchdog !== undefined || process.platform === "win32") return;
  const child = spawn("/bin/sh", ["-c", script, "postern-watchdog"], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    // A session of its own: what a terminal sends to the host does not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog = child;
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  child.unref();
  (child.stdin as unknown as Socket).unref();
  child.once("exit", () => {
    // Someone killed it: its successor must know every group again.
    watchdog = undefined;
    if (listed.size > 0) startWatchdog();
  });
  for (const group of listed) send(`+${group}\n`);
}

/**
 * Has a process group killed if this process dies, however it dies.
 *
 * @returns Ends that. To be called as soon as the group is empty: its number may then become someone else's.
 */
export function watchGroup(group: number): () => void {
  listed.add(group);
  send(`+${group}\n`);
  return () => {
    if (listed.delete(group)) send(`-${group}\n`);
  };
}
