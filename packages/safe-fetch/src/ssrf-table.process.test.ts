import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, type Site } from "../fixtures/site.js";
import { createSafeFetch } from "./index.js";
import type { SafeFetch } from "./types.js";

const limits = { timeoutMs: 3000, maxBytes: 1000 };

/** Names and what they resolve to, as an attacker's name server would have it. */
const names: Readonly<Record<string, readonly string[]>> = {
  "loopback.test": ["127.0.0.1"],
  "loopback6.test": ["::1"],
  "metadata.test": ["169.254.169.254"],
  "private.test": ["10.0.0.1"],
  "mixed.test": ["93.184.216.34", "127.0.0.1"],
  "mixed6.test": ["2606:4700::1111", "::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "mapped-hex.test": ["::ffff:7f00:1"],
  "nat64.test": ["64:ff9b::7f00:1"],
  "zone.test": ["fe80::1%lo"],
  "public-zone.test": ["2606:4700::1111%lo"],
  "octal.test": ["0177.0.0.1"],
  "decimal.test": ["2130706433"],
  "no-address.test": ["not an address"],
  "allowed.test": ["127.0.0.1"],
};

/** Hosts of refused URLs, each in a spelling that a filter of texts would miss. */
const refusedHosts: readonly string[] = [
  // 127.0.0.1 in every spelling that a URL has for it.
  ..."127.0.0.1 127.1 127.0.1 127.0.0.1. 2130706433 0x7f000001 0x7f.1 0x7f.0.0.1 017700000001".split(
    " ",
  ),
  ..."0177.1 0177.0.0.1 0177.0.0.01 0x7F.0x0.0x0.0x1 00000177.0.0.1 127.255.255.254 %31%32%37.0.0.1".split(
    " ",
  ),
  "１２７.０.０.１",
  "127。0。0。1",
  "127．0．0．1",
  "127｡0｡0｡1",
  "①②⑦.⓪.⓪.①",
  "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
  "1\u00AD27.0.0.1",
  // This machine, by a name.
  "localhost",
  "LOCALHOST",
  "localhost.",
  "ⓛocalhost",
  // Other ranges of IPv4.
  ..."0.0.0.0 0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 0xa9fea9fe".split(
    " ",
  ),
  ..."2852039166 100.64.0.1 100.100.100.200 192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255".split(
    " ",
  ),
  ..."198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255".split(
    " ",
  ),
  // IPv6: own ranges, and IPv4 inside.
  ..."[::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001]".split(
    " ",
  ),
  ..."[::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1]".split(
    " ",
  ),
  ..."[2002:7f00:1::] [2002:a9fe:a9fe::1] [2001::1] [2001:0:7f00:1::80ff:fffe] [2001:db8::1]".split(
    " ",
  ),
  ..."[3fff::1] [100::1] [fec0::1] [fc00::1] [fd00:ec2::254] [fe80::1] [febf::1] [ff02::1]".split(
    " ",
  ),
  ..."[5f00::1] [4000::1] [2001:2::1] [2001:20::1] [::ffff:169.254.169.254]".split(" "),
  // Names of an attacker.
  ...Object.keys(names).filter((name) => name !== "allowed.test"),
];

let site: Site;
let safeFetch: SafeFetch;
let resolved: string[] = [];

beforeAll(async () => {
  site = await openSite((request, response) => {
    const [, status, to] = /^\/(30\d)\/(.*)$/.exec(request.url ?? "") ?? [];
    if (status !== undefined && to !== undefined)
      response.writeHead(Number(status), {
        // Header values are bytes; these are those of UTF-8.
        location: Buffer.from(decodeURIComponent(to)).toString("latin1"),
      });
    response.end("secret");
  });
  safeFetch = createSafeFetch({
    allowHosts: () => [`allowed.test:${site.port}`],
    resolve: async (host) => {
      resolved.push(host);
      return names[host] ?? (host === "localhost" ? ["127.0.0.1", "::1"] : []);
    },
  });
});

afterAll(async () => {
  await safeFetch[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function readCode(url: string): Promise<unknown> {
  try {
    const response = await safeFetch(url, limits);
    return (await response.bytes()).data;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

describe("createSafeFetch() against addresses that are not public", () => {
  it("has at least 60 spellings to refuse", () => {
    expect(new Set(refusedHosts).size).toBeGreaterThanOrEqual(60);
  });

  it.each(refusedHosts)("refuses %s, and nothing arrives", async (host) => {
    const before = site.connections();
    expect(await readCode(`http://${host}:${site.port}/`)).toBe("ADDRESS_REFUSED");
    expect(site.connections()).toBe(before);
  });

  it.each([301, 302, 303, 307, 308])("refuses a redirect %i to any of them", async (status) => {
    const before = site.connections();
    const others: unknown[] = [];
    for (const host of refusedHosts) {
      const to = encodeURIComponent(`http://${host}:${site.port}/`);
      const code = await readCode(`http://allowed.test:${site.port}/${status}/${to}`);
      if (code !== "ADDRESS_REFUSED") others.push([host, code]);
    }
    // The one connection of each is the redirect itself.
    expect(others).toEqual([]);
    expect(site.connections()).toBe(before + refusedHosts.length);
  });

  it.each([
    { to: "//127.0.0.1:PORT/", code: "ADDRESS_REFUSED" },
    { to: "\\\\127.0.0.1:PORT\\", code: "ADDRESS_REFUSED" },
    { to: "http:\\\\2130706433:PORT", code: "ADDRESS_REFUSED" },
    { to: " \thttp://127.0.0.1:PORT/", code: "ADDRESS_REFUSED" },
    { to: "http://allowed.test:1/", code: "REDIRECT_REFUSED" },
    { to: "http://allowed.test:6667/", code: "REDIRECT_REFUSED" },
    { to: "http://user:pass@allowed.test:PORT/", code: "REDIRECT_REFUSED" },
    { to: "file:///etc/passwd", code: "REDIRECT_REFUSED" },
    { to: "data:text/plain,x", code: "REDIRECT_REFUSED" },
    { to: "gopher://127.0.0.1:PORT/", code: "REDIRECT_REFUSED" },
    { to: "http://", code: "REDIRECT_REFUSED" },
    { to: "http://[fe80::1%25lo]:PORT/", code: "REDIRECT_REFUSED" },
  ])("does not follow a redirect to $to", async ({ to, code }) => {
    const before = site.connections();
    const location = encodeURIComponent(to.replace("PORT", String(site.port)));
    expect(await readCode(`http://allowed.test:${site.port}/302/${location}`)).toBe(code);
    expect(site.connections()).toBe(before + 1);
  });

  it.each([
    "http://127.0.0.1@allowed.test:PORT/",
    "http://allowed.test@127.0.0.1:PORT/",
    "http://allowed.test:PORT@127.0.0.1:PORT/",
    "http://user:pass@loopback.test:PORT/",
    "http://[fe80::1%25lo]:PORT/",
    "http://[::1%lo]:PORT/",
    "http://127.0.0.1%00.allowed.test:PORT/",
    "http://0x7f.0.0.0.0.1:PORT/",
    "http://999.1.1.1:PORT/",
    "http://08.0.0.1:PORT/",
    "ftp://127.0.0.1:PORT/",
    "file:///etc/passwd",
    "//127.0.0.1:PORT/",
    "127.0.0.1:PORT/",
    "javascript:1",
    "http://allowed.test:22/",
    "http://:PORT/",
    "",
  ])("takes %s for no URL to fetch", async (url) => {
    const before = site.connections();
    expect(await readCode(url.replaceAll("PORT", String(site.port)))).toBe("INVALID_URL");
    expect(site.connections()).toBe(before);
  });

  it("tells no address that a name resolved to", async () => {
    const failure = await safeFetch(`http://private.test:${site.port}/`, limits).catch(
      (error: unknown) => error,
    );
    expect(JSON.parse(JSON.stringify(failure))).toEqual({
      error: "ADDRESS_REFUSED",
      message:
        '"private.test" is not on the public internet, so it is refused. Fetch a public address, or ask the owner to allow this host.',
      host: "private.test",
    });
  });

  it("asks for a name once, also when the next answer would be another", async () => {
    const answers = [["2606:4700::1111"], ["127.0.0.1"], ["::1"]];
    const before = site.connections();
    let asked = 0;
    await using rebinding = createSafeFetch({
      resolve: async () => answers[asked++ % answers.length] ?? [],
    });
    const failure = await rebinding(`http://rebind.test:${site.port}/`, {
      ...limits,
      timeoutMs: 300,
    }).catch(({ code }: { code: string }) => code);
    expect(["CONNECTION_FAILED", "FETCH_TIMEOUT"]).toContain(failure);
    expect(asked).toBe(1);
    expect(site.connections()).toBe(before);
  });

  it("asks for a name anew at every hop", async () => {
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    let asked = 0;
    await using rebinding = createSafeFetch({
      allowHosts: () => ["rebind.test"],
      resolve: async () => answers[asked++] ?? [],
    });
    const to = encodeURIComponent(`http://rebind.test:${site.port}/`);
    const failure = await rebinding(`http://rebind.test:${site.port}/302/${to}`, limits).catch(
      ({ code }: { code: string }) => code,
    );
    expect([failure, asked]).toEqual(["ADDRESS_REFUSED", 2]);
  });

  it("does not ask for the name of an address", async () => {
    resolved = [];
    await readCode(`http://2130706433:${site.port}/`);
    expect(resolved).toEqual([]);
  });

  it("does not let a proxy of the environment do the connecting", async () => {
    const before = site.connections();
    const proxy = `http://127.0.0.1:${site.port}`;
    Object.assign(process.env, { http_proxy: proxy, HTTP_PROXY: proxy, ALL_PROXY: proxy });
    try {
      expect(await readCode("http://unknown.test/")).toBe("HOST_UNKNOWN");
      expect(await readCode("http://private.test/")).toBe("ADDRESS_REFUSED");
    } finally {
      for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY"]) delete process.env[name];
    }
    expect(site.connections()).toBe(before);
  });
});

const openFor = (entry: string): SafeFetch =>
  createSafeFetch({ allowHosts: () => [entry], resolve: async (host) => names[host] ?? [] });

describe("allowHosts", () => {
  it.each([
    { entry: "allowed.test:PORT", url: "http://allowed.test:PORT/" },
    { entry: "allowed.test", url: "http://allowed.test:PORT/" },
    { entry: " Allowed.Test ", url: "http://ALLOWED.test.:PORT/" },
    { entry: "127.0.0.1:PORT", url: "http://127.0.0.1:PORT/" },
    { entry: "127.0.0.1", url: "http://2130706433:PORT/" },
    { entry: "[::ffff:127.0.0.1]:PORT", url: "http://[::ffff:7f00:1]:PORT/" },
    { entry: "::ffff:127.0.0.1", url: "http://[::ffff:7f00:1]:PORT/" },
  ])("opens $url by $entry", async ({ entry, url }) => {
    const port = String(site.port);
    await using allowing = openFor(entry.replace("PORT", port));
    const response = await allowing(url.replace("PORT", port), limits);
    expect(Buffer.from((await response.bytes()).data).toString()).toBe("secret");
  });

  it.each([
    { entry: "allowed.test", url: "http://loopback.test:PORT/", why: "another name for it" },
    { entry: "allowed.test", url: "http://127.0.0.1:PORT/", why: "its address" },
    { entry: "127.0.0.1", url: "http://allowed.test:PORT/", why: "a name for an address" },
    { entry: "allowed.test:80", url: "http://allowed.test:PORT/", why: "another port" },
    { entry: "test", url: "http://allowed.test:PORT/", why: "a domain above" },
    { entry: "*.test", url: "http://allowed.test:PORT/", why: "a pattern" },
    { entry: "*", url: "http://allowed.test:PORT/", why: "a pattern for all" },
    { entry: "http://allowed.test", url: "http://allowed.test:PORT/", why: "a URL" },
    { entry: "x@allowed.test", url: "http://allowed.test:PORT/", why: "a user" },
    { entry: "", url: "http://allowed.test:PORT/", why: "nothing" },
    { entry: "metadata.test", url: "http://metadata.test:PORT/", why: "link-local by a name" },
    { entry: "mixed-metadata.test", url: "http://169.254.169.254:PORT/", why: "link-local" },
    { entry: "zone.test", url: "http://zone.test:PORT/", why: "an address with a zone" },
  ])("does not open $url by $entry: $why", async ({ entry, url }) => {
    const before = site.connections();
    const port = String(site.port);
    await using allowing = openFor(entry.replace("PORT", port));
    const failure = await allowing(url.replace("PORT", port), limits).catch(
      ({ code }: { code: string }) => code,
    );
    expect(failure).toBe("ADDRESS_REFUSED");
    expect(site.connections()).toBe(before);
  });

  it("connects to the address that was checked, whatever the name resolves to later", async () => {
    const answers = [["127.0.0.2"], ["127.0.0.1"]];
    let asked = 0;
    const seen: (string | undefined)[] = [];
    await using here = await openSite(({ socket }, response) => {
      seen.push(socket.localAddress?.replace("::ffff:", ""));
      response.end();
    });
    await using allowing = createSafeFetch({
      allowHosts: () => ["allowed.test"],
      resolve: async () => answers[asked++] ?? [],
    });
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await allowing(`http://allowed.test:${here.port}/`, limits);
      await response.bytes();
    }
    expect(seen).toEqual(["127.0.0.2", "127.0.0.1"]);
  });
});
