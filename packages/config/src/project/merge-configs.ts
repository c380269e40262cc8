import { toRecord } from "../json/json-node.js";
import { emptyPosternConfig } from "./parse-postern-config.js";
import type {
  GeneralSettings,
  GuardRule,
  GuardSettings,
  PathSettings,
  PosternConfig,
} from "./postern-config.js";

/**
 * Lays a trusted project file over the owner's settings: what the project says wins, field by field.
 *
 * @param owner - The owner's settings; undefined = none.
 * @param project - A project file that the owner trusts.
 * @returns A complete configuration. `models` are merged by their top keys, domains by name; rules, sensitive files
 * and path arguments of both count.
 */
export function mergeConfigs(
  owner: PosternConfig | undefined,
  project: PosternConfig,
): PosternConfig {
  const settings = owner ?? emptyPosternConfig;
  return Object.freeze({
    general: mergeGeneral(settings.general, project.general),
    domains: toRecord(Object.entries({ ...settings.domains, ...project.domains })),
    ...mergeModels(settings.models, project.models),
    ...mergeGuard(settings.guard, project.guard),
    ...mergePaths(settings.paths, project.paths),
  });
}

function mergeGeneral(owner: GeneralSettings, project: GeneralSettings): GeneralSettings {
  const tools = [
    ...new Set([...Object.keys(owner.toolAccess), ...Object.keys(project.toolAccess)]),
  ];
  return Object.freeze({
    ...owner,
    ...project,
    bundledTools: Object.freeze({ ...owner.bundledTools, ...project.bundledTools }),
    toolAccess: toRecord(
      tools.map(
        (tool) =>
          [
            tool,
            Object.freeze({ ...owner.toolAccess[tool], ...project.toolAccess[tool] }),
          ] as const,
      ),
    ),
  });
}

function mergeModels(
  owner: PosternConfig["models"],
  project: PosternConfig["models"],
): Pick<PosternConfig, "models"> {
  if (owner === undefined && project === undefined) return {};
  return { models: toRecord([...Object.entries(owner ?? {}), ...Object.entries(project ?? {})]) };
}

function mergeGuard(
  owner: GuardSettings | undefined,
  project: GuardSettings | undefined,
): Pick<PosternConfig, "guard"> {
  if (owner === undefined && project === undefined) return {};
  const rules = [...(owner?.rules ?? []), ...toRaising(project?.rules)];
  return {
    guard: Object.freeze({
      ...owner,
      ...project,
      ...(rules.length === 0 ? {} : { rules: Object.freeze(rules) }),
    }),
  };
}

/** A project's rules, trusted or not, can only make decisions stricter. */
export function toRaising(rules: readonly GuardRule[] = []): readonly GuardRule[] {
  return rules.map((rule) => Object.freeze({ ...rule, raisesOnly: true as const }));
}

function mergePaths(
  owner: PathSettings | undefined,
  project: PathSettings | undefined,
): Pick<PosternConfig, "paths"> {
  if (owner === undefined && project === undefined) return {};
  return { paths: Object.freeze({ ...owner, ...project, ...joinPaths(owner, project) }) };
}

/** Joins what can only add caution: files that hold secrets, arguments that hold paths. */
export function joinPaths(
  owner: PathSettings | undefined,
  project: PathSettings | undefined,
): Pick<PathSettings, "sensitive" | "checkpaths"> {
  const sensitive = [...new Set([...(owner?.sensitive ?? []), ...(project?.sensitive ?? [])])];
  const checkpaths = new Map(Object.entries(owner?.checkpaths ?? {}));
  for (const [tool, names] of Object.entries(project?.checkpaths ?? {}))
    checkpaths.set(tool, Object.freeze([...new Set([...(checkpaths.get(tool) ?? []), ...names])]));
  return {
    ...(sensitive.length === 0 ? {} : { sensitive: Object.freeze(sensitive) }),
    ...(checkpaths.size === 0 ? {} : { checkpaths: toRecord(checkpaths) }),
  };
}
