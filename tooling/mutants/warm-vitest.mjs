/** Runs in a copy of the repository: keeps vitest loaded, and runs the tests that it is told over the channel. */
import process from "node:process";
import { createVitest } from "vitest/node";

const vitest = await createVitest("test", { watch: false, reporters: [{}], run: true });
// A process for each run: one that is kept would keep the modules of the fault before.
for (const { config } of vitest.projects) {
  config.isolate = true;
  // Most tests fail here, as they should: waiting before each next try would only cost time.
  config.retry = 1;
}

process.on("message", (/** @type {import("./run-tests.mjs").Order} */ order) => void run(order));
process.send?.("ready");

/** @param {import("./run-tests.mjs").Order} order */
async function run(order) {
  // What is known of earlier runs would be told again.
  vitest.state.filesMap.clear();
  for (const file of order.changed) vitest.invalidateFile(file);
  vitest.setGlobalTestNamePattern(new RegExp(order.pattern, "u"));
  const specifications = await vitest.globTestSpecifications([...order.files]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const outcomes = testModules.flatMap((each) =>
    [...each.children.allTests()].map((test) => ({
      file: each.moduleId,
      name: test.fullName,
      status: test.result().state,
    })),
  );
  const errors = [...unhandledErrors, ...testModules.flatMap((each) => each.errors())];
  process.send?.({ outcomes, output: errors.map((error) => String(error.message)).join("\n") });
}
