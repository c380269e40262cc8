import { expect, it } from "vitest";
import { createSensitiveNames } from "./sensitive-names.js";

const isSensitive = createSensitiveNames();

it.each([
  ".env",
  ".ENV",
  "app/.env.local",
  ".env.production",
  "prod.env",
  ".envrc",
  "id_rsa",
  "keys/id_ed25519",
  "server.pem",
  "tls.key",
  "a.p12",
  "a.pfx",
  "store.jks",
  "vault.kdbx",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".git-credentials",
  ".htpasswd",
  "credentials",
  "credentials.json",
  "/home/u/.aws/credentials",
  "/home/u/.aws/config",
  "C:\\Users\\u\\.aws\\config",
  ".docker/config.json",
  ".kube/config",
  ".ssh/config",
  ".ssh/keys/work",
  ".gnupg/secring.gpg",
  "service-account-prod.json",
  "client_secret_1.json",
  "main.tfstate",
  "prod.tfvars",
  "/etc/shadow",
  "wallet.dat",
  "config/master.key",
  "secrets.yaml",
  ".config/gcloud/access_tokens.db",
])("takes %s for one that holds secrets", (path) => {
  expect(isSensitive(path)).toBe(true);
});

it.each([
  "",
  ".env.example",
  ".env.sample",
  ".env.template",
  "environment.ts",
  "env",
  "dotenv.js",
  "id_rsa.pub",
  ".ssh/known_hosts",
  ".ssh/id_ed25519.pub",
  "keyboard.ts",
  "monkey",
  "key",
  "docker/config.json",
  "config.json",
  "kube/config",
  ".git/config",
  "credentials-form.tsx",
  "shadow.css",
  "README.md",
  "package.json",
  "pem.txt",
])("takes %j for harmless", (path) => {
  expect(isSensitive(path)).toBe(false);
});

it("knows the owner's further names, in any letter case, before what is harmless", () => {
  const isOwn = createSensitiveNames(" *.Secret , plan-?.md,, .env.example");
  expect(["a.SECRET", "x/plan-7.md", ".env.example", "plan-10.md", "a.txt"].map(isOwn)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

it("is not stopped by a pattern of many stars", () => {
  const isHostile = createSensitiveNames(`${"*a".repeat(200)}b`);
  const start = performance.now();
  expect(isHostile("a".repeat(5_000))).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});
