const room = "packages/bundled-tools/src/command";
const toolTest = `${room}/run-command.process.test.ts`;
const treeTest = `${room}/trees.process.test.ts`;
const backgroundTest = `${room}/background.process.test.ts`;

/** One fault for each item that `run_command` answers for, and the test that finds it. */
export const faults = [
  {
    item: "W-W5",
    what: "of long output only the head is kept",
    file: `${room}/output-recorder.ts`,
    find: "if (chunk.length > room) this.#tail.push(room > 0 ? chunk.subarray(room) : chunk);",
    replace: "",
    test: toolTest,
    name: "the output of a command keeps the head and the tail of each stream, and says how many bytes are missing",
  },
  {
    item: "W-W5",
    what: "a command whose time is up shows nothing of what it printed",
    file: `${room}/run-command.ts`,
    find: "return error === undefined ? fields : toFailed(error, fields);",
    replace: "return error === undefined ? fields : toFailed(error, empty);",
    test: toolTest,
    name: "the time of a command ends with what it printed so far, and an error",
  },
  {
    item: "W-W5",
    what: "all output is stored before it is cut",
    file: `${room}/output-recorder.ts`,
    find: "this.#tail = createTailBuffer(this.#tailUnits * maxBytesPerUnit + 3);",
    replace: "this.#tail = createTailBuffer(2 ** 27);",
    test: `${room}/output-recorder.test.ts`,
    name: "OutputRecorder keeps little memory of much output",
  },
  {
    item: "6",
    what: "an exit code other than 0 is an error",
    file: `${room}/run-command.ts`,
    find: "return error === undefined ? fields : toFailed(error, fields);",
    replace:
      'return end.returncode === 0 ? fields : toFailed(error ?? commandErrors.INVALID_COMMAND({ problem: "it failed" }), fields);',
    test: toolTest,
    name: "run_command takes an exit code other than 0 for an answer, not for an error",
  },
  {
    item: "26",
    what: "a working directory is used without asking whether it may be read and entered",
    file: `${room}/run-command.ts`,
    find: "await access(place.realPath, constants.R_OK | constants.X_OK);",
    replace: "",
    test: backgroundTest,
    name: "a user without the right gets an error for a working directory that may not be read or entered",
  },
  {
    item: "27",
    what: "a caller that gives up is not heard",
    file: `${room}/run-to-end.ts`,
    find: 'context.signal.addEventListener("abort", giveUp, { signal: released.signal });',
    replace: "",
    test: treeTest,
    name: "a command whose caller gives up is ended with all that it started",
  },
  {
    item: "keys",
    what: "commands get the server's keys",
    file: `${room}/command-environment.ts`,
    find: "entry[1] !== undefined && !isOurs(entry[0]) && isPossible(entry[0], entry[1]),",
    replace: "entry[1] !== undefined && isPossible(entry[0], entry[1]),",
    test: `${room}/command-environment.test.ts`,
    name: "has none of the documented variables, and no other of ours",
  },
  {
    item: "background",
    what: "what left the session and lost its parent is not found",
    file: `${room}/run-to-end.ts`,
    find: "      marker: commandMarker,\n",
    replace: "",
    test: backgroundTest,
    name: "a program in the background that lost its parent does not hold up the answer, is named and lives on",
  },
];
