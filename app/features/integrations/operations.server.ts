import { z } from "zod";
import type { Db } from "~/db/client.server";
import { DISABLED_BY_ADMIN } from "~/db/integrations.schema";
import { DAY_SECONDS } from "~/domain/durations";
import { requireCode } from "~/features/accounts/factor/verify.server";
import { passwordCheckLimit, requirePassword } from "~/features/accounts/operations/password.server";
import { parseCursor } from "~/features/audit/params";
import { AppError } from "~/http/errors";
import { intent } from "~/http/form-action.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { readListPage } from "~/records/list-page.server";
import { fullName, KEY_PREFIX } from "~/session/caller.server";
import { randomToken, sha256 } from "~/session/tokens.server";
import {
  type ListParams,
  type ListRules,
  listUrl,
  pageCount,
  parseListParams,
} from "~/ui/DataTable/list-params";
import { formatDateTime } from "~/ui/format";
import { sendTestEvent, wakeWebhooks } from "./delivery.server";
import { countKeys, deleteKey, findKey, findKeys, insertKey } from "./keys.queries.server";
import { findDeliveries } from "./log.queries.server";
import {
  deleteWebhook,
  findWebhooks,
  insertWebhook,
  resetDelivery,
  rotateSecret,
  updateWebhook,
  type WebhookRow,
} from "./queries.server";
import { ById, INTEGRATIONS_PATH, KeyForm, WebhookForm } from "./schema";

const MAX_KEYS = 20;
const MAX_WEBHOOKS = 20;
/** List of keys, the latest first; an admin sees those of all staff. */
const KEY_LIST: ListRules = {
  path: INTEGRATIONS_PATH,
  sorts: [],
  base: { sort: "", dir: "desc", size: 20 },
  others: ["revoke", "webhook", "older"],
};
/** Deliveries on a page of the log. */
const PAGE_SIZE = 12;
const SECRET_BYTES = 32;
/** Seconds for which the secret before a rotation signs as well. */
const ROTATION_SECONDS = DAY_SECONDS;

/** Reads the page of API keys and webhooks: own keys, and for admins those of all and the webhooks. */
export const readIntegrations = operation({
  access: "manager",
  input: PageInput,
  async run({ input, ...context }) {
    const { db, user, settings } = context;
    const { searchParams } = new URL(input.url);
    const owner = user.isAdmin ? null : user.id;
    const revoked = searchParams.get("revoke");
    const params = parseListParams(searchParams, KEY_LIST);
    const [list, revoke, hooks, log] = await Promise.all([
      readListPage(context, params, {
        rows: (window) => findKeys(db, owner, window),
        // Counted up to the key behind the page: an admin's list may be long, and is read from its beginning.
        matches: () => countKeys(db, owner, params.page * params.size + 1),
        isOneWay: true,
      }),
      revoked ? findKey(db, owner, revoked) : null,
      user.isAdmin ? findWebhooks(db) : null,
      user.isAdmin ? readLog(db, searchParams, settings.timezone) : null,
    ]);
    const time = (at: number | null) => (at === null ? null : formatDateTime(at, settings.timezone));
    return {
      isAdmin: user.isAdmin,
      email: user.email,
      hasFactor: user.hasFactor === true,
      dialog: {
        revoke,
        remove: hookIn(hooks, searchParams.get("delete")),
        renew: hookIn(hooks, searchParams.get("renew")),
      },
      olderKeys: nextPageUrl(list),
      keys: list.rows.map(({ key, owner: of }) => ({
        ...key,
        owner: of.id === user.id ? "You" : fullName(of),
        created: time(key.createdAt) ?? "",
        used: time(key.lastUsedAt) ?? "Never",
      })),
      webhooks: hooks?.map((hook) => webhookView(hook, time)) ?? null,
      log,
    };
  },
});
export type IntegrationsPage = Awaited<ReturnType<(typeof readIntegrations)["execute"]>>;

/** Returns the URL of the next page; null for the last one. */
const nextPageUrl = ({ params, total }: { params: ListParams; total: number }): string | null =>
  params.page < pageCount(total, params.size) ? listUrl(params, { page: params.page + 1 }) : null;

function webhookView(
  { id, url, events, lowStock, note, disabledAt, succeededAt }: WebhookRow,
  time: (at: number | null) => string | null,
) {
  return { id, url, events, lowStock, note, disabled: time(disabledAt), succeeded: time(succeededAt) };
}

/** Reads the page of the log that the URL names. */
async function readLog(db: Db, search: URLSearchParams, timezone: string) {
  const webhookId = search.get("webhook");
  const after = parseCursor(search.get("older"));
  const found = await findDeliveries(db, webhookId, after, PAGE_SIZE + 1);
  const rows = found.slice(0, PAGE_SIZE);
  const last = found.length > PAGE_SIZE ? rows.at(-1) : undefined;
  return {
    webhookId,
    isNewest: after === null,
    older: last ? `${last.createdAt}.${last.position}` : null,
    rows: rows.map(({ createdAt, dueAt, position: _, ...row }) => ({
      ...row,
      time: formatDateTime(createdAt, timezone),
      next: row.state === "waiting" && row.attempts > 0 ? formatDateTime(dueAt, timezone) : null,
    })),
  };
}

/** Finds the webhook that a dialog is about. */
function hookIn(hooks: Awaited<ReturnType<typeof findWebhooks>> | null, hookId: string | null) {
  const hook = hooks?.find(({ id }) => id === hookId);
  return hook ? { id: hook.id, url: hook.url } : null;
}

/** Secret that is shown once, after it was made. */
export interface NewSecret {
  kind: "key" | "webhook" | "renewed";
  name: string;
  secret: string;
}

/**
 * Makes an API key for the caller, who proves to be its owner by the password and the second factor: a session may be
 * stolen, and a key outlives it.
 *
 * @throws AppError invalid (400) at `currentPassword` and `code`, rateLimited (429), conflict (409) for too many
 */
const createKey = operation({
  access: "manager",
  input: KeyForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run({ input: { currentPassword, code, ...key }, user, ...context }): Promise<NewSecret> {
    const { db, now } = context;
    await requirePassword(context, currentPassword);
    if (user.hasFactor) await requireCode(context, user, code);
    const secret = KEY_PREFIX + randomToken();
    const row = {
      id: randomToken(),
      userId: user.id,
      ...key,
      tokenHash: await sha256(secret),
      createdAt: now,
    };
    if (!(await insertKey(db, row, MAX_KEYS)))
      throw new AppError("conflict", `At most ${MAX_KEYS} keys a person. Revoke one first.`);
    return { kind: "key", name: key.name, secret };
  },
});

/** Revokes an own key, for admins any. @throws AppError notFound */
const revokeKey = operation({
  access: "manager",
  input: ById,
  async run({ db, user, input }: StaffContext & { input: { id: string } }) {
    const name = await deleteKey(db, input.id, user.isAdmin ? null : user.id);
    if (name === undefined) throw new AppError("notFound", "API key not found");
    return name;
  },
});

function newSecret(): { stored: string; shown: string } {
  const stored = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64");
  return { stored, shown: `whsec_${stored}` };
}

/**
 * Adds a webhook for an admin who proves by the password that the session is not a stolen one: what customers write and buy
 * would be sent on after its end.
 *
 * @throws AppError invalid at `currentPassword` and for the shop's own address, rateLimited, conflict for too many
 */
const createWebhook = operation({
  access: "admin",
  input: WebhookForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run({ db, now, settings, caller, input }): Promise<NewSecret> {
    const { currentPassword, lowStock = settings.sales.lowStock, ...hook } = input;
    await requirePassword({ caller }, currentPassword);
    if (URL.canParse(settings.url) && new URL(hook.url).host === new URL(settings.url).host)
      throw new AppError("invalid", "A webhook cannot call the shop itself.");
    const { stored, shown } = newSecret();
    const row = { id: randomToken(), ...hook, lowStock, secret: stored, createdAt: now };
    if (!(await insertWebhook(db, row, MAX_WEBHOOKS)))
      throw new AppError("conflict", `At most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
    return { kind: "webhook", name: hook.url, secret: shown };
  },
});

const webhookNotFound = () => new AppError("notFound", "Webhook not found");

const found = (isFound: boolean) => {
  if (!isFound) throw webhookNotFound();
};

const rotate = operation({
  access: "admin",
  input: ById,
  async run({ db, now, input }): Promise<NewSecret> {
    const { stored, shown } = newSecret();
    found(await rotateSecret(db, input.id, stored, now + ROTATION_SECONDS));
    return { kind: "renewed", name: "The webhook", secret: shown };
  },
});

const enable = operation({
  access: "admin",
  input: ById,
  run: async ({ db, input }) => found(await updateWebhook(db, input.id, { disabledAt: null, note: "" })),
});

const disable = operation({
  access: "admin",
  input: ById,
  run: async ({ db, now, input }) =>
    found(await updateWebhook(db, input.id, { disabledAt: now, note: DISABLED_BY_ADMIN })),
});

const removeWebhook = operation({
  access: "admin",
  input: ById,
  run: async ({ db, input }) => found(await deleteWebhook(db, input.id)),
});

/**
 * Sends a test event to a webhook, a disabled one too, and tells what its receiver answered.
 *
 * @throws AppError notFound, rateLimited
 */
export const testWebhook = operation({
  route: "POST webhook/:id/test",
  summary: "Send a test event to a webhook",
  answer: z.object({
    isDelivered: z.boolean(),
    result: z.string().meta({ description: "Answer of the receiver in words", examples: ["HTTP 204"] }),
  }),
  access: "admin",
  forbidsKeys: true,
  input: ById,
  limits: ({ env, input }) => [{ limiter: env.LIMIT_LOGIN_ACCOUNT, key: `webhook:${input.id}` }],
  async run({ db, env, now, input }) {
    const hook = (await findWebhooks(db)).find(({ id }) => id === input.id);
    if (!hook) throw webhookNotFound();
    const { isDelivered, result } = await sendTestEvent(env, hook, now);
    return { isDelivered, result };
  },
});

/** Delivers an entry of the log once more, with the same id and data. @throws AppError conflict */
const resend = operation({
  access: "admin",
  input: z.object({ id: z.string().max(200) }),
  async run({ db, env, now, input, waitUntil }) {
    if (!(await resetDelivery(db, input.id, now)))
      throw new AppError("conflict", "This delivery is gone, or its webhook is disabled.");
    waitUntil(wakeWebhooks(env));
  },
});

/** Forms of the page, by `intent`. A new secret is drawn with the page and stored nowhere. */
export const INTEGRATION_FORMS = {
  "create-key": intent(createKey, { done: (page) => ({ page }) }),
  "revoke-key": intent(revokeKey, { done: (name) => ({ toast: `${name} is revoked.` }) }),
  "create-webhook": intent(createWebhook, { done: (page) => ({ page }) }),
  rotate: intent(rotate, { done: (page) => ({ page }) }),
  enable: intent(enable, { done: () => ({ toast: "The webhook is enabled." }) }),
  disable: intent(disable, { done: () => ({ toast: "The webhook is disabled." }) }),
  "delete-webhook": intent(removeWebhook, { done: () => ({ toast: "The webhook is deleted." }) }),
  "test-webhook": intent(testWebhook, {
    done: ({ isDelivered, result }) => ({
      toast: isDelivered
        ? { type: "success", message: `The receiver accepted the test event: ${result}` }
        : { type: "error", message: `The test event did not arrive: ${result}` },
    }),
  }),
  resend: intent(resend, { done: () => ({ toast: "The delivery is sent again." }) }),
};
