import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { uptime } from "node:os";

/**
 * Reads lines: `?SECONDS` before a program is started, that long after the machine was, and the folder of its pipes, if
 * it has such; then its `+GROUP`, or `!` when
 * it could not be started; `-GROUP` when it is gone. Their end means that the host is dead, however it died: whatever is
 * still listed gets SIGTERM, and a second later SIGKILL, together with what descends from it in other sessions.
 *
 * A host that died between `?` and `+` may have started a program whose group it could not tell. `find_untold` looks
 * for what it left: a process of ours that lost the same parent as this shell, in a session that is not the host's and
 * has nobody who is older than the announcement, and whose output streams are two different sockets, as Node makes
 * them. (Services that systemd starts write both to the same one.) A program that gets pipes of ours is known by them:
 * pipes alone would tell nothing, since every job of a shell has some.
 *
 * Only builtins of the shell and sleep are used, since an image may have nothing else.
 */
const script = `trap '' HUP INT QUIT TERM PIPE USR1 USR2 TSTP
read -r stat </proc/$PPID/stat
set -- \${stat##*) }
host_session=$4
sessions=' '
starting=
pipes=
while IFS= read -r line; do
  value=\${line#?}
  case $line in
  [?]*) starting=\${value%% *} pipes=\${value#"\${value%% *}"} pipes=\${pipes# } ;;
  +*) sessions="$sessions$value " starting= ;;
  !) starting= ;;
  -*) case $sessions in
    *" $value "*) sessions="\${sessions%%" $value "*} \${sessions#*" $value "}" ;;
    esac ;;
  esac
done
[ "$sessions$starting" = ' ' ] && exit 0
groups=$sessions
has_elder() {
  session=$1
  for elder in /proc/[0-9]*/stat; do
    read -r stat <"$elder" || continue
    set -- \${stat##*) }
    [ "$4" = "$session" ] && [ "\${20}" -lt "\${starting}00" ] && return 0
  done
  return 1
}
find_untold() {
  [ -n "$starting" ] || return
  read -r stat </proc/$$/stat || return
  set -- \${stat##*) }
  reaper=$2
  for file in /proc/[0-9]*/stat; do
    read -r stat <"$file" || continue
    fd=/proc/\${stat%% *}/fd
    set -- \${stat##*) }
    [ "$2" = "$reaper" ] && [ "$4" != "$host_session" ] && [ -O "$fd" ] || continue
    if [ -n "$pipes" ]; then
      [ $fd/1 -ef "$pipes/stdout" ] || continue
    else
      [ -S $fd/1 ] && [ -S $fd/2 ] || continue
      [ $fd/1 -ef $fd/2 ] && continue
    fi
    case $sessions in *" $4 "*) continue ;; esac
    has_elder "$4" && continue
    sessions="$sessions$4 "
    groups="$groups$4 "
  done
}
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
signal_groups() {
  for group in $groups; do kill -s "$1" -- "-$group"; done
}
find_untold
find_members
signal_groups TERM
sleep 1
find_untold
signal_groups KILL
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
function startWatchdog(): void {
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
 * Tells the watchdog that a program is about to be started: if this process dies meanwhile, it looks for it.
 *
 * @param pipes - The folder with the pipes that it writes to, if there is one.
 */
export function announceStart(pipes?: string): void {
  startWatchdog();
  send(`?${Math.floor(uptime())}${pipes === undefined ? "" : ` ${pipes}`}\n`);
}

/** Tells the watchdog that the announced program could not be started. */
export function withdrawStart(): void {
  send("!\n");
}

/**
 * Has a process group, the announced one, killed if this process dies, however it dies.
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
