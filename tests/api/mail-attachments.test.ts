import { describe, expect, it } from "vitest";
import { decoded, PDF } from "../support/chat-files";
import {
  answeredChat,
  attachment,
  deliver,
  mailedTo,
  multipart,
  type Part,
  plain,
  rawMail,
  textsOf,
  withDesk,
} from "../support/mails";

withDesk();

describe("attachments of a reply", () => {
  const picture = () => decoded("wideJpeg");

  it("are posted as files of the chat, under names without a path", async () => {
    const { chatId, to } = await answeredChat();
    const raw = rawMail(
      multipart(
        "mixed",
        plain("Like this"),
        attachment("../../x.jpg", "image/jpeg", picture()),
        attachment("C:\\\\plan.pdf", "application/pdf", PDF),
      ),
    );
    await deliver(raw, { to });
    const [message] = await mailedTo(chatId);
    expect(message?.cards?.map((card) => (card as { name?: string }).name)).toEqual(["x.jpg", "plan.pdf"]);
    expect(message?.message).toBe("Like this\nAttached: x.jpg, plan.pdf");
  });

  it("without text make a message too", async () => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(multipart("mixed", plain(""), attachment("a.pdf", "application/pdf", PDF))), {
      to,
    });
    expect(await textsOf(chatId)).toEqual(["Attached: a.pdf"]);
  });

  it.each<[string, Part[], string]>([
    [
      "of other types",
      [
        attachment("a.zip", "application/zip", "PK\u0003\u0004"),
        attachment("b.exe", "application/pdf", "MZ"),
      ],
      "a.zip, b.exe",
    ],
    [
      "a zip in a zip",
      [attachment("outer.zip", "application/zip", "PK\u0003\u0004inner.zipPK\u0003\u0004")],
      "outer.zip",
    ],
    [
      "an invitation",
      [
        {
          headers: { "Content-Type": 'text/calendar; method="REQUEST"' },
          body: "BEGIN:VCALENDAR\r\nEND:VCALENDAR",
        },
      ],
      "invitation.ics",
    ],
    [
      "a mail",
      [{ headers: { "Content-Type": "message/rfc822" }, body: "Subject: Inner\r\n\r\nInner" }],
      "mail.eml",
    ],
  ])("that a chat refuses are left out with a note: %s", async (_, parts, names) => {
    const { chatId, to } = await answeredChat();
    await deliver(rawMail(multipart("mixed", plain("See there"), ...parts)), { to });
    expect(await textsOf(chatId)).toEqual([`See there\n\nNot attached here: ${names}`]);
  });

  it("of 200 parts are five, and the others are counted", async () => {
    const { chatId, to } = await answeredChat();
    const parts = Array.from({ length: 199 }, (_, i) => attachment(`${i}.pdf`, "application/pdf", PDF));
    await deliver(rawMail(multipart("mixed", plain("Many"), ...parts)), { to });
    const [message] = await mailedTo(chatId);
    expect(message?.cards).toHaveLength(5);
    expect(message?.message).toContain("Not attached here: 5.pdf, 6.pdf, 7.pdf, 8.pdf, 9.pdf, 189 more");
  });

  it("of signatures are left out without a note", async () => {
    const { chatId, to } = await answeredChat();
    const signed = multipart(
      "signed",
      multipart("related", plain("Yes"), {
        ...attachment("logo.jpg", "image/jpeg", "icon"),
        headers: {
          ...attachment("logo.jpg", "image/jpeg", "icon").headers,
          "Content-ID": "<logo>",
          "Content-Disposition": "inline",
        },
      }),
      attachment("smime.p7s", "application/pkcs7-signature", "signature"),
    );
    await deliver(rawMail(signed), { to });
    await deliver(
      rawMail(
        multipart("signed", plain("Good"), attachment("signature.asc", "application/pgp-signature", "x")),
      ),
      { to },
    );
    expect(await textsOf(chatId)).toEqual(["Yes", "Good"]);
  });

  it("that are encrypted are not shown, but said", async () => {
    const { chatId, to } = await answeredChat();
    const said = "This mail is encrypted and can't be read here.";
    await deliver(rawMail(attachment("smime.p7m", "application/pkcs7-mime", "secret")), { to });
    await deliver(rawMail(plain("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----")), { to });
    await deliver(
      rawMail(
        multipart(
          "encrypted",
          { headers: { "Content-Type": "application/pgp-encrypted" }, body: "Version: 1" },
          attachment("encrypted.asc", "application/octet-stream", "-----BEGIN PGP MESSAGE-----"),
        ),
      ),
      { to },
    );
    expect(await textsOf(chatId)).toEqual([said, said, said]);
  });
});
