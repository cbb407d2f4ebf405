import { openDb } from "~/db/client.server";
import { deliverMail } from "~/features/incidents/mail.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { notifyStaff } from "~/features/push/operations.server";
import { findMailedStaff } from "~/features/push/queries.server";
import { escapeHtml, type Mail, mailLayout } from "~/http/mail.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import {
  findScarceNotices,
  removeScarceNotices,
  type ScarceUnitNotice,
} from "./scarce-notices.queries.server";

/** Units that one notification or mail names. */
const MAX_NAMED = 50;
/** Characters of a notification that people can read. */
const MAX_BODY = 200;
const LIST_PATH = "/admin/inventory-management?level=low";

/** Tells staff who want it which units have become low since the last time, in one notification and one mail. */
export async function tellScarceUnits(env: Env): Promise<void> {
  const { db } = openDb(env.DB);
  const units = await findScarceNotices(db, MAX_NAMED);
  if (units.length === 0) return;
  const settings = await settingsForTask(env);
  const lines = units.map(({ name, stock }) =>
    stock === 0 ? `${name}: sold out` : `${name}: ${stock} left`,
  );
  await notifyStaff(env, "lowStock", null, () => ({
    type: "message",
    tag: "low-stock",
    title: units.length === 1 ? "Stock is low" : `Stock of ${units.length} products is low`,
    body: lines.join("; ").slice(0, MAX_BODY).toWellFormed(),
    url: LIST_PATH,
  }));
  for (const { email } of await findMailedStaff(db, "lowStock"))
    await deliverMail(env, settings, scarceMail(settings, email, lines)).catch((error: unknown) =>
      recordFailure(env, { kind: "mail", place: "Low stock" }, error),
    );
  await removeScarceNotices(
    db,
    units.map(({ unitId }: ScarceUnitNotice) => unitId),
  );
}

function scarceMail(settings: ShopSettings, to: string, lines: string[]): Mail {
  const subject = `${settings.name}: stock is low`;
  const href = `${settings.url}${LIST_PATH}`;
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("\n");
  return {
    to,
    subject,
    text: `${lines.join("\n")}\n\nOpen the inventory: ${href}\n`,
    html: mailLayout(settings, subject, `<ul>\n${items}\n</ul>`, { label: "Open the inventory", href }, ""),
  };
}
