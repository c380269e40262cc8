import type { ListingKind } from "@postern/tool";

/** How one kind of thing is listed. */
export interface ListedKind {
  readonly kind: ListingKind;
  /** The request that lists it. */
  readonly method: string;
  /** The member of the answer that holds the list. */
  readonly member: string;
  /** The member of an item that names it. */
  readonly id: "name" | "uri" | "uriTemplate";
  /** The capability that a server with such things advertises. */
  readonly capability: string;
  /** What tells that the list changed. */
  readonly changed: string;
}

/** All four kinds, in the order in which a mixed list holds them. */
export const listedKinds: readonly ListedKind[] = Object.freeze([
  {
    kind: "tool",
    method: "tools/list",
    member: "tools",
    id: "name",
    capability: "tools",
    changed: "notifications/tools/list_changed",
  },
  {
    kind: "prompt",
    method: "prompts/list",
    member: "prompts",
    id: "name",
    capability: "prompts",
    changed: "notifications/prompts/list_changed",
  },
  {
    kind: "resource",
    method: "resources/list",
    member: "resources",
    id: "uri",
    capability: "resources",
    changed: "notifications/resources/list_changed",
  },
  {
    kind: "template",
    method: "resources/templates/list",
    member: "resourceTemplates",
    id: "uriTemplate",
    capability: "resources",
    changed: "notifications/resources/list_changed",
  },
]);

/** Finds how a kind is listed. */
export function findListedKind(kind: ListingKind): ListedKind {
  const found = listedKinds.find((listed) => listed.kind === kind);
  return found ?? (listedKinds[0] as ListedKind);
}
