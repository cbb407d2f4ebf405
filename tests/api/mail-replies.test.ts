import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messagesOf, postMessage, staffToken, startChat, written } from "../support/chat";
import { attachment, catchMails, deliver, mailsOf, outcomes, plain, rawMail } from "../support/mails";
import { addUser, call, openSession } from "../support/shop";

let token = "";
let sent: ReturnType<typeof catchMails>;
beforeAll(async () => {
  token = await staffToken();
  await call("/api/chat/settings", { method: "PATCH", json: { isOnline: true }, token });
});
beforeEach(async () => {
  sent = catchMails();
  await env.DB.exec("DELETE FROM received_mails");
});

/** Starts a chat, answers it, and returns the mail with the answer. */
async function answeredChat() {
  const visitor = { userName: "Ines", userEmail: "ines@mail.example", initialMessage: "Is it oak?" };
  const chat = await startChat(visitor);
  await postMessage(chat.chatId, "It is.", { token });
  const [mail] = (await mailsOf(chat.chatId, sent)).filter(({ to }) => to === "ines@mail.example");
  if (!mail) throw new Error("The answer was not mailed.");
  return { ...chat, mail, to: mail.replyTo };
}

describe("a reply to the mail with an answer", () => {
  it("becomes a message of the visitor, and is kept in full", async () => {
    const { chatId, cookie, to } = await answeredChat();
    expect(to).toMatch(/^chat\+[\da-f]{40}@emporia\.example$/);
    const text =
      "Then I take two.\n\nOn Mon, 2 Nov 2026, Emporia <no-reply@emporia.example> wrote:\n> It is.\n";
    expect(await deliver(rawMail(plain(text)), { to })).toEqual([]);
    const [message] = (await written(chatId, { cookie })).slice(-1);
    expect(message).toMatchObject({ message: "Then I take two.", isFromAdmin: false, senderName: "Ines" });
    expect(message?.id).toMatch(/^mail-[\da-f]{32}$/);
    expect(await outcomes()).toEqual({ posted: 1 });
  });
});
