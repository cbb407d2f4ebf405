import { epochSeconds } from "~/domain/durations";
import { type Mail, sendMail } from "~/http/mail.server";
import type { ShopSettings } from "~/http/shop-settings.server";
import { notRecorded, recordDb } from "./operations.server";
import { countSentMail } from "./queries.server";

/** Sends a mail from the shop's address and counts it. @throws what the platform refuses it with, for recordFailure */
export async function deliverMail(env: Env, settings: ShopSettings, mail: Mail): Promise<void> {
  await sendMail(env.MAIL, settings, mail);
  await countSentMail(recordDb(env), epochSeconds()).catch(notRecorded);
}
