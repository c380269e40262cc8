import { AsyncLocalStorage } from "node:async_hooks";
import { isAbsolute } from "node:path";
import { grantedMetaKey, type JsonObject } from "@postern/tool";

const current = new AsyncLocalStorage<readonly string[]>();
const none: readonly string[] = [];

/**
 * Does the work of one call with what was allowed for it.
 *
 * @param meta - The call's: `grantedMetaKey` holds real paths. Whoever lets it come from a client must believe that client.
 * @param work - The work; all it starts has the grants, and nothing else does.
 * @returns What the work returns.
 */
export function withGrants<T>(meta: JsonObject | undefined, work: () => T): T {
  const granted = meta?.[grantedMetaKey];
  if (!Array.isArray(granted)) return work();
  const paths = (granted as readonly unknown[]).filter(
    (path): path is string => typeof path === "string" && isAbsolute(path),
  );
  return current.run(paths, work);
}

/** The real paths that the running call may use beside the root folder, each with all below it. */
export function findGrants(): readonly string[] {
  return current.getStore() ?? none;
}
