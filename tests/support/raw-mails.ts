const CRLF = "\r\n";

interface Content {
  text: string;
  /** PNG pictures in base64 by their names. */
  pictures?: Record<string, string>;
}

let mails = 0;

/** Writes a raw mail of a visitor, for the local engine. */
export function rawMail({ text, pictures = {} }: Content): string {
  const parts = [
    ["Content-Type: text/plain; charset=utf-8", "", text.replaceAll("\n", CRLF)],
    ...Object.entries(pictures).map(([name, data]) => [
      `Content-Type: image/png; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      "Content-Transfer-Encoding: base64",
      "",
      data,
    ]),
  ];
  return [
    "From: Ines Sommer <ines@mail.example>",
    "To: chat@emporia.example",
    "Subject: Re: Emporia has answered you",
    `Message-ID: <${Date.now()}.${++mails}@mail.example>`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="part"',
    "",
    ...parts.flatMap((lines) => ["--part", ...lines]),
    "--part--",
    "",
  ].join(CRLF);
}
