import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sendResetMail } from "./mail.server";

const LINK = "https://shop.example/resetPassword?token=abc";

/** Sends the mail to a mailer that records messages. */
async function sentMail(firstName: string) {
  const messages: unknown[] = [];
  const send = async (message: unknown) => {
    messages.push(message);
  };
  const mailer = { send } as unknown as SendEmail;
  await sendResetMail({ ...env, MAIL: mailer }, { email: "ann@mail.example", firstName }, LINK);
  return messages[0] as { from: string; to: string; "EmailMessage::raw": string };
}

describe("reset mail", () => {
  it("is sent by the shop to the user, as text and HTML with the link", async () => {
    const message = await sentMail("Ann");
    expect([message.from, message.to]).toEqual(["no-reply@emporia.example", "ann@mail.example"]);
    const raw = message["EmailMessage::raw"];
    expect(raw).toContain("Content-Type: multipart/alternative");
    expect(raw.match(/Content-Type: text\/(?:plain|html); charset=UTF-8/g)).toHaveLength(2);
    expect(raw).toContain(`\r\n${LINK}\r\n`);
    expect(raw).toContain(`<a href="${LINK}"`);
    expect(raw).not.toMatch(/[^\r]\n/);
  });

  it("escapes the name in HTML", async () => {
    expect((await sentMail("<img src=x>"))["EmailMessage::raw"]).toContain("Hello &#60;img src=x&#62;,");
  });
});
