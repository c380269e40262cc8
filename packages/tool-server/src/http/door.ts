import { serverErrors } from "../errors.js";
import type { Exchange } from "./exchange.js";
import type { Refusal } from "./refusal.js";

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What the first three checks of a request go by. */
export interface Door {
  /** Says why a request must not come in; undefined lets it pass. */
  check(exchange: Exchange): Refusal | undefined;
  /** Whether the owner named the origin, so that its pages may also read answers. */
  isNamedOrigin(origin: string | undefined): boolean;
}

/** What the owner lets in beside loopback. */
export interface DoorOptions {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly path: string;
}

const forbiddenHost: Refusal = { status: 403, error: serverErrors.FORBIDDEN_HOST() };
const forbiddenOrigin: Refusal = { status: 403, error: serverErrors.FORBIDDEN_ORIGIN() };
const unknownPath: Refusal = { status: 404, error: serverErrors.UNKNOWN_PATH() };

/**
 * Makes the check of Host, Origin and path, in this order. A page that had its name resolved to this machine (DNS
 * rebinding) comes with its own Host; a page of another site comes with its Origin. What a proxy forwards
 * (`X-Forwarded-*`) never counts: anyone can send it.
 *
 * @param options - What is let in beside loopback.
 * @returns The door.
 */
export function createDoor(options: DoorOptions): Door {
  const hosts = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  const origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()));
  const isHost = (host: string | undefined): boolean => {
    if (host === undefined) return false;
    const lower = host.toLowerCase();
    const name = toHostName(lower);
    return name !== undefined && (loopbackNames.has(name) || hosts.has(name) || hosts.has(lower));
  };
  const isOrigin = (origin: string | undefined, host: string | undefined): boolean => {
    if (origin === undefined) return true;
    const lower = origin.toLowerCase();
    if (origins.has(lower)) return true;
    const authority = /^https?:\/\/([^/?#@\\]+)$/.exec(lower)?.[1];
    if (authority === undefined) return false;
    return authority === host?.toLowerCase() || loopbackNames.has(toHostName(authority) ?? "");
  };
  return {
    check(exchange) {
      const host = exchange.header("host");
      if (!isHost(host)) return forbiddenHost;
      if (!isOrigin(exchange.header("origin"), host)) return forbiddenOrigin;
      return exchange.path === options.path ? undefined : unknownPath;
    },
    isNamedOrigin: (origin) => origin !== undefined && origins.has(origin.toLowerCase()),
  };
}

/**
 * Takes the port off a host.
 *
 * @param host - `name`, `name:port` or `[v6]:port`.
 * @returns The name, brackets kept; undefined for anything else.
 */
export function toHostName(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}

/**
 * Tells whether a host can only be reached from this machine.
 *
 * @param host - A name or address, with or without a port; an IPv6 address also without brackets.
 * @returns True for localhost, 127.0.0.0/8 and ::1.
 */
export function isLoopbackHost(host: string): boolean {
  if (host === "::1") return true;
  const name = toHostName(host);
  return (
    name !== undefined && (loopbackNames.has(name) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name))
  );
}
