import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeErasedMails } from "../../scripts/collect-mail.mjs";

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
