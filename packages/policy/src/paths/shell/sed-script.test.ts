import { expect, it } from "vitest";
import { isPlainSed } from "./sed-script.js";

it.each([
  "p",
  "10,20p",
  "$d",
  "/a/d",
  "s/a/b/",
  "s|/a|/b|g",
  "s#a#\\##2gI",
  "/a/,/b/{s/x/y/;p}",
  "1!G;h;$!d",
  "y/abc/xyz/",
  ":a;N;$!ba;s/\\n/ /g",
  "2i\\\nnew line",
  "/^import w/d",
  "0~3d",
  "",
])("takes %j for a plain edit", (script) => {
  expect(isPlainSed(script)).toBe(true);
});

it.each([
  "w x",
  "1r x",
  "R x",
  "W x",
  "e",
  "e ls",
  "1e cat x",
  "s/a/b/w x",
  "s/a/b/e",
  "s/a/b/ge",
  "p;w x",
  "/a/{p;r x\n}",
  "s/a/b",
  "s a b ",
  "F;e",
  "\0",
])("takes %j for more", (script) => {
  expect(isPlainSed(script)).toBe(false);
});
