// Check of npm run deploy: mails reach everybody only from a domain that is onboarded for Email Sending.

/**
 * Looks the sender's domain up among those that the account may send from.
 *
 * @param {string} mailFrom MAIL_FROM
 * @param {(args: string[]) => { status: number | null, stdout: string }} wrangler
 * @returns {string | null} notice for the operator; null for a domain that sends
 */
export function mailNotice(mailFrom, wrangler) {
  const domain = mailFrom.split("@").at(-1)?.toLowerCase() ?? "";
  const guide = "docs/operations.md, Mail";
  const listed = wrangler(["email", "sending", "list"]);
  if (listed.status !== 0) return `Whether mails can be sent from ${domain} is unknown (${guide}).`;
  const [head = [], ...rows] = listed.stdout.split("\n").flatMap((line) => {
    const cells = line.split("│").map((cell) => cell.trim().toLowerCase());
    return cells.length > 1 ? [cells] : [];
  });
  const [name, enabled] = [head.indexOf("name"), head.indexOf("enabled")];
  if (rows.some((cells) => cells[name] === domain && cells[enabled] === "yes")) return null;
  return `Mails reach only verified addresses of the account: npx wrangler email sending enable ${domain} (${guide}).`;
}
