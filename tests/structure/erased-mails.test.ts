import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { collectMail, removeErasedMails } from "../../scripts/collect-mail.mjs";

it("a local shop deletes the mails to a deleted person and those about their chats, and keeps the others", () => {
  const stateDir = mkdtempSync(join(tmpdir(), "emporia-mails-"));
  const write = (name: string, text: string) => {
    const file = join(stateDir, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  };
  write("mail/own.eml", "To: <Ines@Mail.example>\r\n\r\nHello Ines");
  write("mail/staff.eml", "To: <admin@mail.example>\r\n\r\nInes waits: /admin/chat?chat=3Dabc=\r\nDEF123");
  write("mail/other.eml", "To: <tolu@mail.example>\r\n\r\nHello Tolu");
  write("tmp/a/b/own.eml", "To: <ines@mail.example>\r\n\r\nHello Ines");
  const addresses = [createHash("sha256").update("ines@mail.example").digest("hex")];
  expect(removeErasedMails(stateDir, [{ chats: ["abcDEF123"], addresses }])).toBe(3);
  const left = readdirSync(stateDir, { recursive: true }).filter((name) => String(name).endsWith(".eml"));
  expect(left.map(String)).toEqual([join("mail", "other.eml")]);
  rmSync(stateDir, { recursive: true });
});

it("a local shop keeps the mails that are there when others vanish while they are copied", () => {
  const stateDir = mkdtempSync(join(tmpdir(), "emporia-mails-"));
  const folder = join(stateDir, "tmp/miniflare/email");
  mkdirSync(folder, { recursive: true });
  // A link to nothing is listed, and cannot be read.
  symlinkSync(join(folder, "deleted"), join(folder, "a.eml"));
  writeFileSync(join(folder, "b.eml"), "To: <tolu@mail.example>\r\n\r\nHello Tolu");
  const stop = collectMail(stateDir);
  stop();
  expect(readdirSync(join(stateDir, "mail"))).toEqual(["b.eml"]);
  const addresses = [createHash("sha256").update("tolu@mail.example").digest("hex")];
  expect(removeErasedMails(stateDir, [{ chats: [], addresses }])).toBe(2);
  rmSync(stateDir, { recursive: true });
  expect(collectMail(stateDir)).not.toThrow();
  rmSync(stateDir, { recursive: true });
});
