import { toRecord } from "../json/json-node.js";
import { emptyPosternConfig } from "./parse-postern-config.js";
import type { GeneralSettings, PosternConfig } from "./postern-config.js";

/**
 * Lays a trusted project file over the owner's settings: what the project says wins, field by field.
 *
 * @param owner - The owner's settings; undefined = none.
 * @param project - A project file that the owner trusts.
 * @returns A complete configuration. `models`, `guard` and `paths` are merged by their top keys, domains by name.
 */
export function mergeConfigs(
  owner: PosternConfig | undefined,
  project: PosternConfig,
): PosternConfig {
  const settings = owner ?? emptyPosternConfig;
  return Object.freeze({
    general: mergeGeneral(settings.general, project.general),
    domains: toRecord(Object.entries({ ...settings.domains, ...project.domains })),
    ...mergePart("models", settings, project),
    ...mergePart("guard", settings, project),
    ...mergePart("paths", settings, project),
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

function mergePart(
  part: "models" | "guard" | "paths",
  owner: PosternConfig,
  project: PosternConfig,
): Partial<PosternConfig> {
  const [left, right] = [owner[part], project[part]];
  if (left === undefined && right === undefined) return {};
  return { [part]: toRecord([...Object.entries(left ?? {}), ...Object.entries(right ?? {})]) };
}
