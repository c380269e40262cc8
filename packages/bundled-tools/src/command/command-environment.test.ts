import { expect, it } from "vitest";
import { bundledVariables } from "../bundled-server.js";
import { toCommandEnvironment } from "./command-environment.js";

it("has none of the documented variables, and no other of ours", () => {
  const secrets = Object.fromEntries(bundledVariables.map((name) => [name, "secret"]));
  const environment = { ...secrets, POSTERN_NEW: "secret", exa_Api_Key: "secret", HOME: "/home" };
  expect(toCommandEnvironment(environment, "id")).toEqual({ HOME: "/home", RUN_COMMAND_ID: "id" });
});

it("marks what a command starts as its own, also inside another command", () => {
  expect(toCommandEnvironment({ RUN_COMMAND_ID: "outer" }, "inner")).toEqual({
    RUN_COMMAND_ID: "inner",
  });
});
