import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// pnpm points its programs at every installed package, and a child process of a test would find what a user's does not.
delete process.env["NODE_PATH"];

/** Tests run on the sources of every package, so that none needs a build first. */
const conditions = ["@postern/source", "module", "node", "development|production"];

const project = (name: string, test: object): TestProjectInlineConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  // Where a test watches a clock, a machine that is busy elsewhere may make it late: it may try again a little later.
  // The run ends with the names of those that had to.
  test: { name, testTimeout: 20_000, retry: { count: 2, delay: 3000 }, ...test },
});

export default defineConfig({
  test: {
    // Three projects for all packages, and not one each: every project loads the sources anew.
    projects: [
      project("unit", {
        include: ["packages/*/src/**/*.test.ts", "tooling/*/src/**/*.test.ts"],
        exclude: ["**/*.process.test.ts"],
        isolate: false,
      }),
      // Real child processes, sockets and signals: a file each in a process of its own.
      project("process", {
        include: ["packages/*/src/**/*.process.test.ts"],
        testTimeout: 60_000,
      }),
      // The built programs, as a user runs them.
      project("built", {
        include: ["apps/*/src/**/*.test.ts", "tooling/*/test/**/*.test.ts"],
        testTimeout: 60_000,
      }),
    ],
    reporters: ["default", "./tooling/closing-line.ts"],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**", "apps/*/src/**"],
      reporter: ["text-summary", "json-summary", "lcov"],
    },
  },
});
