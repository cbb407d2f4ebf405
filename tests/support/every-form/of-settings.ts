import { staff } from "./shop.ts";

const settingsForm = (group: string, fields: Record<string, string>) =>
  staff(`settings ${group}`, async () => ({ path: `/admin/settings?group=${group}`, fields }));

/** Forms of the settings, each of one group. */
export const SETTINGS = [
  settingsForm("shop", {
    ...{ name: "Emporia", pickup: "at the counter", supportEmail: "hello@emporia.example" },
    ...{ legalEmail: "legal@emporia.example", mailFrom: "no-reply@emporia.example" },
  }),
  settingsForm("hours", { "mon-opens": "10:00", "mon-closes": "18:00" }),
  settingsForm("redraw", { act: "add" }),
  settingsForm("find redraw", { group: "home", act: "find", find: "mug" }),
  settingsForm("home", { headline: "Gifts" }),
  settingsForm("sales", {
    ...{ lowStock: "4", cashRounding: "0.05", holdDays: "1", quoteDays: "7", sellerCreditLimit: "50" },
  }),
  staff("settings tax", async (shop) => {
    const path = "/admin/settings?group=sales";
    const page = await (await shop.call(path, { token: shop.admin })).text();
    const version = /name="version" value="(\d+)"/.exec(page)?.[1] ?? "0";
    return { path, fields: { business: "EMPORIA", number: "987", name: "HST", rate: "13", version } };
  }),
  settingsForm("chat", { isOnline: "on", "questions-JEWELRY": "Is it silver?\nWhich size is it?" }),
  settingsForm("notifications", { switches: "hasPreview,messagePush", hasPreview: "on", messagePush: "on" }),
];
