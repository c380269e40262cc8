import type { Connection, Watch, WatchFilter } from "../connection/connection.js";

/** What is listened for on a server's connection, over all its connections. */
export class Subscriptions {
  readonly #uris = new Set<string>();
  #changes: Watch | undefined;
  #resources: Watch | undefined;

  /** Takes note of a subscription that the server accepted. */
  update(method: string, uri: unknown): void {
    if (typeof uri !== "string") return;
    if (method === "resources/subscribe") this.#uris.add(uri);
    if (method === "resources/unsubscribe") this.#uris.delete(uri);
  }

  /** Begins to listen on a new connection, for what was listened for on the last one too. */
  open(connection: Connection, onMissed: () => void): void {
    this.lose();
    if (connection.era === "legacy") return this.#renew(connection);
    const filter = toFilter(connection);
    if (Object.keys(filter).length > 0) this.#changes = connection.watch(filter, onMissed);
    this.watch(connection);
  }

  /** Listens for the resources subscribed to on a modern connection. */
  watch(connection: Connection): void {
    const before = this.#resources;
    this.#resources =
      this.#uris.size === 0
        ? undefined
        : connection.watch({ resourceSubscriptions: [...this.#uris] }, () => undefined);
    before?.close();
  }

  /** The connection is gone. */
  lose(): void {
    this.#changes?.close();
    this.#resources?.close();
    this.#changes = undefined;
    this.#resources = undefined;
  }

  close(): void {
    this.lose();
    this.#uris.clear();
  }

  #renew({ wire }: Connection): void {
    for (const uri of this.#uris)
      wire
        .request({ method: "resources/subscribe", params: { uri }, timeoutMs: renewTimeoutMs })
        .catch(() => undefined);
  }
}

const renewTimeoutMs = 30_000;

function toFilter({ capabilities }: Connection): WatchFilter {
  const tells = (kind: string): boolean =>
    (capabilities[kind] as { readonly listChanged?: unknown } | undefined)?.listChanged === true;
  return {
    ...(tells("tools") ? { toolsListChanged: true as const } : {}),
    ...(tells("prompts") ? { promptsListChanged: true as const } : {}),
    ...(tells("resources") ? { resourcesListChanged: true as const } : {}),
  };
}
