import { env } from "cloudflare:workers";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { htmlText } from "~/features/chat/mail-text";
import { composeMail, type Mail, sendMail } from "~/http/mail.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { catchMails, sentMails } from "../support/mails";

const HOSTILE = `<img src=x onerror=alert(1)> & "it's"`;

async function composed(change: Partial<ShopSettings> = {}): Promise<Mail> {
  const settings = { ...(await settingsForTask(env)), ...change };
  return composeMail(settings, {
    to: "ines@mail.example",
    subject: `Subject ${HOSTILE}`,
    before: ["Hello Ines,", { quote: `It is ${HOSTILE}\n${"long ".repeat(60)}` }, { list: ["One", HOSTILE] }],
    button: { label: "Open", href: "https://shop.test/a?b=1&c=2", isSpelledOut: true },
    after: [`Said below ${HOSTILE}`, { label: "Stop", href: "https://shop.test/stop?d=3&e=4" }],
  });
}

describe("a mail's two parts", () => {
  it("say the same", async () => {
    const { text, html } = await composed();
    const said = (part: string) =>
      part
        .replace(/https?:\S+|[:>-]|^Or open .*$/gm, " ")
        .split(/\s+/)
        .filter(Boolean);
    const [, body = ""] = html.split(/<body[^>]*>/);
    expect(said(htmlText(body, false))).toEqual(said(text));
    const links = [...html.matchAll(/href="(https[^"]+)"/g)].map(([, href = ""]) =>
      href.replaceAll("&#38;", "&"),
    );
    for (const href of links) expect(text).toContain(href);
    expect(new Set(links).size).toBe(2);
  });

  it("have what people wrote as text alone, in lines that mail servers take", async () => {
    const { html, text } = await composed({ name: HOSTILE });
    expect(html).not.toContain("<img");
    for (const part of [html, text]) {
      const longest = Math.max(...part.split("\n").map((each) => Buffer.byteLength(each)));
      expect(longest).toBeLessThan(998);
    }
  });
});

it("a mail whose lines are too long for mail servers is encoded, both parts", async () => {
  const caught = catchMails();
  const name = "\u78e8".repeat(200);
  const settings = await settingsForTask(env);
  const mail = composeMail(settings, {
    ...{ to: "ines@mail.example", subject: "Long", after: [] },
    before: [`${name} ${name}`, { list: ['"'.repeat(200)] }],
    button: { label: "Open", href: "https://shop.test/" },
  });
  await sendMail(env.MAIL, settings, mail);
  const [sent] = sentMails(caught);
  const lines = (sent?.raw ?? "").split("\r\n");
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
  const { text = "", html = "" } = await PostalMime.parse(sent?.raw ?? "");
  expect(text.trimEnd().replaceAll("\r\n", "\n")).toBe(mail.text.trimEnd());
  expect(html.trimEnd().replaceAll("\r\n", "\n")).toBe(mail.html.trimEnd());
});

describe("a reply", () => {
  const replyTo = async (mail: Partial<Mail>, change: Partial<ShopSettings> = {}) => {
    const caught = catchMails();
    await sendMail(
      env.MAIL,
      { ...(await settingsForTask(env)), ...change },
      { ...(await composed()), ...mail },
    );
    return sentMails(caught).at(-1)?.replyTo;
  };
  const thread = { id: "thread", replyTo: "chat+token@emporia.example", stopUrl: "https://shop.test/stop" };

  it("goes to the conversation, else to the shop's mailbox, and never to the sender that takes no mail", async () => {
    expect(await replyTo({ thread })).toBe("chat+token@emporia.example");
    expect(await replyTo({})).toBe("hello@emporia.example");
    expect(await replyTo({ thread: { ...thread, replyTo: null } })).toBe("hello@emporia.example");
    expect(await replyTo({}, { supportEmail: "maren@walnut-ash.ca" })).toBe("maren@walnut-ash.ca");
  });
});
