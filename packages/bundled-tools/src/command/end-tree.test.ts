import { processErrors } from "@postern/processes";
import { expect, it } from "vitest";
import { commandErrors } from "./errors.js";
import { endTree } from "./run-to-end.js";

const cause = commandErrors.INVALID_COMMAND({ problem: "it is late" });

const stop = () => Promise.reject(processErrors.STOP_FAILED({ pids: [7, 8] }));

it("names what does not end, as a program under other rights", async () => {
  expect(await endTree({ stop }, cause)).toMatchObject({
    code: "COMMAND_NOT_ENDED",
    message: expect.stringMatching(/7.*8/),
  });
});

it("has nothing to say when everything ended", async () => {
  expect(await endTree({ stop: () => Promise.resolve() }, cause)).toBeUndefined();
});
