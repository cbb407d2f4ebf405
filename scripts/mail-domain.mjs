// Checks of npm run deploy: mails reach everybody only from a domain that is onboarded for Email Sending, and replies reach the
// shop only by a rule of Email Routing.

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

/** Says how to see whether replies arrive, which no list of rules shows. */
const TRY_REPLY =
  "Answer a chat of a visitor who has left, reply to the mail, and look at Health: it counts received mails";

const GUIDE = "docs/operations.md, Replies by mail";

/**
 * Looks for the rules that deliver replies: those to mails of conversations to the Worker, all others to the mailbox.
 *
 * @param {{ MAIL_FROM: string, MAIL_DOMAIN?: string, SUPPORT_EMAIL: string }} vars
 * @param {string} worker its name
 * @param {(args: string[]) => { status: number | null, stdout: string }} wrangler
 * @returns {string} what remains to be done, or to be checked
 */
export function repliesNotice({ MAIL_FROM, MAIL_DOMAIN, SUPPORT_EMAIL }, worker, wrangler) {
  const domain = (MAIL_DOMAIN ?? MAIL_FROM.split("@").at(-1) ?? "").trim().toLowerCase();
  if (domain === "") return `Replies to mails go to SUPPORT_EMAIL: MAIL_DOMAIN is empty (${GUIDE}).`;
  const rules = rulesOf(domain, wrangler);
  if (rules === null)
    return `Whether replies to chat@${domain} reach the shop is unknown. ${TRY_REPLY} (${GUIDE}).`;
  const notices = [conversationNotice(domain, worker, rules), mailboxNotice(domain, SUPPORT_EMAIL, rules)];
  return notices.filter(Boolean).join("\n");
}

const customRule = (rules, address) => rules.custom.find(({ to }) => to === `to:${address}`);

function conversationNotice(domain, worker, rules) {
  const address = `chat@${domain}`;
  const rule = customRule(rules, address);
  if (rule?.action === `worker:${worker}`)
    return `The rule of ${address} sends mails to the Worker ${worker}; replies need Subaddressing as well, which is switched on in the dashboard alone. ${TRY_REPLY} (${GUIDE}).`;
  if (!rule && rules.catchAll === `worker:${worker}`)
    return `Replies reach the shop: the catch-all rule of ${domain} sends them to the Worker ${worker}. ${TRY_REPLY}.`;
  return `Replies to mails are lost: no rule of Email Routing sends ${address} to the Worker ${worker}. Add one, or set MAIL_DOMAIN = "" (${GUIDE}).`;
}

/** Says that the mailbox, of the same domain, gets no mail: the Worker drops what has no token. */
function mailboxNotice(domain, mailbox, rules) {
  const address = mailbox.trim().toLowerCase();
  if (!address.endsWith(`@${domain}`)) return "";
  const action = customRule(rules, address)?.action ?? rules.catchAll;
  if (action.startsWith("forward:")) return "";
  return `Replies to other mails don't reach ${address}: add a rule of Email Routing that forwards it (${GUIDE}).`;
}

/** Reads the enabled rules of a domain's zone, which a subdomain shares. @returns null when they can't be read */
function rulesOf(domain, wrangler) {
  const labels = domain.split(".");
  for (let first = 0; first < labels.length - 1; first++) {
    const zone = labels.slice(first).join(".");
    const { status, stdout } = wrangler(["email", "routing", "rules", "list", zone]);
    if (status !== 0) continue;
    const all = /^Catch-all rule: enabled, action: (\S+)/m.exec(stdout)?.[1] ?? "";
    return { custom: enabledRules(stdout), catchAll: first === 0 ? all : "" };
  }
  return null;
}

/** Reads the rules that wrangler prints as paragraphs of `Name: value`. */
function enabledRules(stdout) {
  return stdout.split(/^Rule: /m).flatMap((rule) => {
    const value = (name) => new RegExp(`^ +${name}: +(.*?) *$`, "m").exec(rule)?.[1]?.toLowerCase() ?? "";
    return value("Enabled") === "true" ? [{ to: value("Matchers"), action: value("Actions") }] : [];
  });
}
