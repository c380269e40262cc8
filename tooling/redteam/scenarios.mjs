import { run } from "./scenarios/run.mjs";
import { write } from "./scenarios/write.mjs";
import { send } from "./scenarios/send.mjs";
import { agents } from "./scenarios/agents.mjs";
import { other } from "./scenarios/other.mjs";
import { honest } from "./scenarios/honest.mjs";

/**
 * Everything that is played.
 *
 * @type {readonly import("./scenarios/parts.mjs").Scenario[]}
 */
export const scenarios = [...run, ...write, ...send, ...agents, ...other, ...honest];
