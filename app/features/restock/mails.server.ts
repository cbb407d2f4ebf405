import { epochSeconds } from "~/domain/durations";
import { dollars } from "~/domain/money";
import { deliverMail } from "~/features/incidents/mail.server";
import { composeMail, type Mail, type MailBlock, type MailThread, pickupBlocks } from "~/http/mail.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { linkKey } from "~/session/tokens.server";
import { LINK_SECONDS } from "./schema";

/** Builds the mailed link of a request: its page confirms it, and ends all of its address. */
async function requestUrl(env: Env, { url }: Pick<ShopSettings, "url">, id: string): Promise<string> {
  const key = await linkKey(env.COOKIE_SECRET, "restock", id, epochSeconds() + LINK_SECONDS);
  return `${url}/unsubscribe?${new URLSearchParams({ restock: id, key })}`;
}

/** Words of a mail about something that is sold out. */
interface Words {
  to: string;
  /** Conversation in which a reply is posted; without it a person reads it as a mail. */
  thread?: MailThread | undefined;
  subject: string;
  sentence: string;
  button: { label: string; href: string };
  /** Said below the button. */
  notes: MailBlock[];
  stopUrl: string;
}

const STOP = "Get no more of these mails";

const restockMail = (settings: ShopSettings, { sentence, notes, ...mail }: Words): Mail =>
  composeMail(settings, {
    ...mail,
    before: ["Hello,", sentence],
    after: [...notes, { label: STOP, href: mail.stopUrl }],
  });

/** Mails the owner of an address the link that confirms a request. @param request its id, and the name of the unit */
export async function mailConfirmation(
  env: Env,
  { to, id, unit }: { to: string; id: string; unit: string },
): Promise<void> {
  const settings = await settingsForTask(env);
  const url = await requestUrl(env, settings, id);
  const mail = restockMail(settings, {
    ...{ to, stopUrl: url },
    subject: `Shall we tell you when ${unit} is back?`,
    sentence: `somebody, probably you, asked ${settings.name} to write to this address when ${unit} can be bought again.`,
    button: { label: "Yes, tell me", href: url },
    notes: [
      `The link works for 3 days. If it wasn't you, you needn't do anything. With "${STOP}" we send no such mail to this address for 90 days, whoever asks.`,
    ],
  });
  await deliverMail(env, settings, mail);
}

/** Unit that is back. */
interface BackUnit {
  /** Of the request. */
  id: string;
  unit: string;
  path: string;
  available: number;
  priceCents: number;
}

/** Mails somebody that a unit is back. @param request its id, the unit's name, page and the pieces that can be bought */
export async function mailRestock(
  env: Env,
  settings: ShopSettings,
  { id, unit, path, available, priceCents, ...reader }: Pick<Words, "to" | "thread"> & BackUnit,
): Promise<void> {
  const price = dollars(priceCents);
  const pieces =
    available === 1 ? `There is one piece, ${price}` : `There are ${available} pieces, ${price} each`;
  const mail = restockMail(settings, {
    ...reader,
    subject: `${unit} is back`,
    sentence: `you asked us to tell you: ${unit} can be bought again. ${pieces}.`,
    button: { label: "Have a look", href: `${settings.url}${path}` },
    notes: [
      "We tell a few people at a time, in the order in which they asked. Nothing is set aside: reply to this mail or ask us in the chat if you want it to be.",
      ...pickupBlocks(settings),
      "This was the only mail about it.",
    ],
    stopUrl: await requestUrl(env, settings, id),
  });
  await deliverMail(env, settings, mail);
}
