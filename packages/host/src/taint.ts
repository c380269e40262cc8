import type { GuardSettings } from "@postern/config";
import type { Interceptor } from "@postern/tool";
import { bundledName } from "./host-plan.js";

/**
 * Makes what follows untrusted text from call to call. What it needs is loaded at the first call.
 *
 * @param isWanted - What the owner says now; undefined leaves it to the configuration.
 * @param settings - The `guard` part of the configuration.
 * @returns The interceptors: none where it is not wanted.
 */
export function createTaintTracker(
  isWanted: boolean | undefined,
  settings: GuardSettings = {},
): readonly Interceptor[] {
  if (!(isWanted ?? settings.taint ?? false)) return [];
  let loaded: Promise<Interceptor> | undefined;
  const load = async (): Promise<Interceptor> => {
    const { trackTaint } = await import("@postern/guard");
    return trackTaint({
      approvals: settings.approvals ?? "ask",
      isOurs: ({ server }) => server === bundledName,
    });
  };
  return [(next) => async (call) => (await (loaded ??= load()))(next)(call)];
}
