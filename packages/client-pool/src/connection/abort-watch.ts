/** Something that is to end when a signal is aborted. */
export interface Abortable {
  onAbort(): void;
}

/** All that wait on one signal: Node warns of a leak when a signal has more than ten listeners. */
class SignalWatch {
  readonly signal: AbortSignal;
  readonly waiting = new Set<Abortable>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  handleEvent(): void {
    watches.delete(this.signal);
    for (const abortable of this.waiting) abortable.onAbort();
  }
}

const watches = new Map<AbortSignal, SignalWatch>();

/** Tells something when a signal is aborted, until `unwatchAbort`. One listener serves all that wait on a signal. */
export function watchAbort(signal: AbortSignal, abortable: Abortable): void {
  let watch = watches.get(signal);
  if (watch === undefined) {
    watch = new SignalWatch(signal);
    watches.set(signal, watch);
    signal.addEventListener("abort", watch);
  }
  watch.waiting.add(abortable);
}

/** Forgets something that was to be told. */
export function unwatchAbort(signal: AbortSignal, abortable: Abortable): void {
  const watch = watches.get(signal);
  if (watch === undefined) return;
  watch.waiting.delete(abortable);
  if (watch.waiting.size > 0) return;
  watches.delete(signal);
  signal.removeEventListener("abort", watch);
}
