const fetchTest = "packages/safe-fetch/src/ssrf-table.process.test.ts";
const pageTest = "packages/bundled-tools/src/web/page/web-fetch.process.test.ts";
const downloadTest = "packages/bundled-tools/src/web/download/download-file.process.test.ts";

/** One fault for each item that the web tools answer for, and the test that finds it. */
export const faults = [
  {
    item: "W-W1",
    what: "carrier-grade NAT counts as the public internet",
    file: "packages/safe-fetch/src/public-address.ts",
    find: 'if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";',
    replace:
      'if (parsed instanceof ipaddr.IPv4) return ["unicast", "carrierGradeNat"].includes(parsed.range());',
    test: fetchTest,
    name: "createSafeFetch() against addresses that are not public refuses 100.100.100.200, and nothing arrives",
  },
  {
    item: "W-W1",
    what: "IPv6 is judged by a list of what is bad",
    file: "packages/safe-fetch/src/public-address.ts",
    find: `parsed.range() === "unicast" &&
    parsed.match(globalUnicast) &&
    !notPublic.some((range) => parsed.match(range))`,
    replace:
      '!["loopback", "uniqueLocal", "linkLocal", "ipv4Mapped", "unspecified"].includes(parsed.range())',
    test: fetchTest,
    name: "createSafeFetch() against addresses that are not public refuses [2002:7f00:1::], and nothing arrives",
  },
  {
    item: "W-W1",
    what: "the name is resolved again for the connection",
    file: "packages/safe-fetch/src/open-hop.ts",
    find: "const client = openConnection(target, addresses, deadline.remainingMs());",
    replace:
      "const again = await deadline.within(readCheckedAddresses(target, options)); const client = openConnection(target, again.length > 0 ? again : addresses, deadline.remainingMs());",
    test: fetchTest,
    name: "allowHosts connects to the address that was checked, whatever the name resolves to later",
  },
  {
    item: "W-W2",
    what: "links stay as the page wrote them",
    file: "packages/bundled-tools/src/documents/html-worker.mjs",
    find: "else element.setAttribute(name, parsed.href);",
    replace: "",
    test: pageTest,
    name: "web_fetch gives a page as Markdown, with whole links, and says where it came from",
  },
  {
    item: "W-W2",
    what: "the charset of the header is ignored",
    file: "packages/bundled-tools/src/web/page/decode-text.ts",
    find: "findBomLabel(data) ?? findHeaderLabel(contentType) ?? findOwnLabel(data)",
    replace: '"utf-8"',
    test: pageTest,
    name: "web_fetch reads '/latin1' as 'café'",
  },
  {
    item: "W-W2",
    what: "a later part is of another fetch",
    file: "packages/bundled-tools/src/web/page/web-fetch.ts",
    find: "start === 0 ? undefined : cache.find(url)",
    replace: "undefined",
    test: pageTest,
    name: "web_fetch gives all of a text page by page, each beginning where the last ended, of one fetch",
  },
  {
    item: "W-W3",
    what: "a failed download keeps what came of it",
    file: "packages/bundled-tools/src/web/download/download-file.ts",
    find: "await draft.discard();",
    replace: "",
    test: downloadTest,
    name: "download_file leaves nothing of '/cut', and says why: 'CONNECTION_FAILED'",
  },
  {
    item: "W-W3",
    what: "errors collapse into one",
    file: "packages/bundled-tools/src/web/download/download-file.ts",
    find: "if (!isPosternError(error)) {",
    replace: "if (error !== null) {",
    test: downloadTest,
    name: "download_file leaves nothing of '/missing', and says why: 'HTTP_STATUS'",
  },
  {
    item: "3",
    what: "bytes are decoded as text on their way to the file",
    file: "packages/bundled-tools/src/web/download/download-file.ts",
    find: "await file.writeFile(chunk);",
    replace: "await file.writeFile(new TextDecoder().decode(chunk));",
    test: downloadTest,
    name: "download_file saves the bytes as they are, and says what it saved",
  },
  {
    item: "19",
    what: "only the first address is checked, not that of a redirect",
    file: "packages/safe-fetch/src/check-addresses.ts",
    find: "const allowHosts = options.allowHosts?.() ?? [];",
    replace:
      'const allowHosts = [...(options.allowHosts?.() ?? []), "127.0.0.1", "169.254.169.254"];',
    test: pageTest,
    name: "web_fetch fails for '/to-loopback' with 'ADDRESS_REFUSED'",
  },
];
