// By `require`: an `import` first looks for exports through all nine megabytes of it, and takes a second for that.
const ts = require("typescript");

module.exports = ts;
