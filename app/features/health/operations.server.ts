import { HOUR_SECONDS } from "~/domain/durations";
import { beingUpdated } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { isPlaceholderDomain } from "~/http/placeholder-domain";
import { isValidRegion, REGIONS } from "~/http/shop-objects.server";
import type { ShopSettings } from "~/http/shop-settings.server";
import { formatDateTime, formatTime } from "~/ui/format";
import journal from "../../../migrations/meta/_journal.json";
import { findProblems } from "./problems.server";
import { probe, readErrorHours, readHealth, readMails, schemaState } from "./queries.server";

/** Migrations that this version of the Worker needs. */
const NEEDED = journal.entries.map(({ tag }) => tag);
/** Shortest secret that signs cookies. */
export const MIN_SECRET_BYTES = 32;
/** Milliseconds after which a check has failed. */
const CHECK_TIMEOUT_MS = 5000;

/** Result of one check. */
export interface Check {
  name: "database" | "migrations" | "files" | "room" | "settings";
  ok: boolean;
  ms: number;
  /** Result in words, without secrets. */
  detail: string;
}

/** Checks everything that a request needs, each part timed. @param host of the request */
export async function readiness(env: Env, host: string): Promise<Check[]> {
  return Promise.all([
    timed("database", async () => {
      return placeOfDatabase(await probe(env.DB));
    }),
    timed("migrations", () => checkMigrations(env)),
    timed("files", async () => {
      await env.BUCKET.head("health");
      return "answers";
    }),
    timed("room", async () => {
      await env.CHAT_ROOM.getByName("health").dump(0, 1);
      return "answers";
    }),
    timed("settings", async () => checkSettings(env, host)),
  ]);
}

async function timed(name: Check["name"], check: () => Promise<string>): Promise<Check> {
  const started = performance.now();
  const timeout = scheduler
    .wait(CHECK_TIMEOUT_MS)
    .then(() => Promise.reject(new CheckError("no answer within 5 s")));
  const result = await Promise.race([check(), timeout]).then(
    (detail) => ({ ok: true, detail }),
    (error: unknown) => ({ ok: false, detail: error instanceof CheckError ? error.message : "no answer" }),
  );
  return { name, ms: Math.round(performance.now() - started), ...result };
}

/** Failure whose message may be shown to everyone. */
class CheckError extends Error {}

/**
 * Describes which copy of the database answered. An answer of a replica proves read replication; the primary's proves
 * nothing, since it may be the nearest copy.
 */
function placeOfDatabase({
  served_by_region: region,
  served_by_primary: isPrimary,
}: Pick<D1Meta, "served_by_region" | "served_by_primary">): string {
  if (!region || isPrimary === undefined) return "answers";
  return isPrimary
    ? `answers from the primary in ${region}`
    : `answers from a replica in ${region}: read replication is on`;
}

async function checkMigrations({ DB }: Env): Promise<string> {
  const { applied, isRestoring, missingTable } = await schemaState(DB);
  const missing = NEEDED.filter((name) => !applied.includes(name));
  if (missing.length > 0)
    throw new CheckError(`${missing.length} of ${NEEDED.length} not applied: ${missing.join(", ")}`);
  if (missingTable) throw new CheckError(`the table ${missingTable} is missing`);
  if (isRestoring) throw new CheckError("a restore is under way");
  return `${NEEDED.length} of ${NEEDED.length} applied`;
}

const isLocal = (host: string) => /^(?:localhost|127\.|\[::1\])/.test(host);

function checkSettings(env: Env, host: string): string {
  const secrets = (env.COOKIE_SECRET ?? "").split(",").map((secret) => secret.trim());
  if (secrets.some((secret) => new TextEncoder().encode(secret).byteLength < MIN_SECRET_BYTES))
    throw new CheckError(`COOKIE_SECRET has fewer than ${MIN_SECRET_BYTES} bytes`);
  const shop = URL.canParse(env.SHOP_URL ?? "") ? new URL(env.SHOP_URL ?? "").host : "localhost";
  if (isLocal(shop) && !isLocal(host)) throw new CheckError("SHOP_URL names this computer");
  if (!isValidRegion(env)) throw new CheckError(`SHOP_REGION is none of ${REGIONS.join(", ")}`);
  return "complete";
}

/** Milliseconds for which a complete schema is not checked again. */
const SCHEMA_CHECK_MS = 30_000;
/** Time of the last check that found a complete schema, epoch milliseconds. */
let completeAt = Number.NEGATIVE_INFINITY;

/**
 * Refuses a write while the database lacks migrations or tables or is being restored: SQLite reads the quoted name of a missing
 * column as text.
 *
 * @throws AppError unavailable (503)
 */
export async function requireCompleteSchema({ DB }: Env): Promise<void> {
  // A clock may be set back.
  const age = Date.now() - completeAt;
  if (age >= 0 && age < SCHEMA_CHECK_MS) return;
  const { applied, isRestoring, missingTable } = await schemaState(DB);
  if (isRestoring || missingTable || NEEDED.some((name) => !applied.includes(name))) throw beingUpdated();
  completeAt = Date.now();
}

const SHOWN_HOURS = 24;

/** Reads the health page, for admins. */
export const healthPage = operation({
  access: "admin",
  input: PageInput,
  async run({ env, db, now, settings, input }) {
    const { host } = new URL(input.url);
    const firstHour = now - (now % HOUR_SECONDS) - (SHOWN_HOURS - 1) * HOUR_SECONDS;
    const [problems, checks, records, mails, errorHours] = await Promise.all([
      findProblems(db, now),
      readiness(env, host),
      readHealth(db, now),
      readMails(db),
      readErrorHours(db, firstHour),
    ]);
    const errors = new Map(errorHours.map((each) => [each.hour, each.errors]));
    const time = (at: number) => formatDateTime(at, settings.timezone);
    const lastRun = records.runs[0];
    const lastBackup = records.backups.find(({ state }) => state === "done");
    return {
      checkedAt: formatTime(now, settings.timezone),
      problems: problems.map(({ message }) => message),
      checks,
      hours: Array.from({ length: SHOWN_HOURS }, (_, i) => errors.get(firstHour + i * HOUR_SECONDS) ?? 0),
      lastRun: lastRun ? { ago: age(now - lastRun.startedAt), ...lastRun } : null,
      lastBackup: lastBackup ? { ago: age(now - (lastBackup.finishedAt ?? now)), ...lastBackup } : null,
      restore: records.restore,
      mail: {
        ...senderOf(settings, host),
        ...{ sent: mails.sent, failed: mails.failed, received: mails.received },
        last: mails.lastAt === null ? null : { ago: age(now - mails.lastAt), time: time(mails.lastAt) },
        lastFailure: mails.lastFailure && { ...mails.lastFailure, time: time(mails.lastFailure.at) },
      },
      slow: records.slow.map((each) => ({
        ...each,
        day: new Date(each.day * 1000).toISOString().slice(0, 10),
        averageMs: each.totalMs / each.requests,
      })),
      errors: records.errors.map((each) => ({ ...each, time: time(each.at) })),
      failures: records.failures.map((each) => ({ ...each, time: time(each.at) })),
      runs: records.runs.map((each) => ({ ...each, time: time(each.startedAt) })),
      backups: records.backups.map((each) => ({ ...each, time: time(each.startedAt) })),
    };
  },
});

/** Describes the sender of mails. A shop on this machine writes them to files, whatever their domain. */
const senderOf = ({ mailFrom, mailDomain }: ShopSettings, host: string) => ({
  from: mailFrom,
  takesReplies: mailDomain !== "",
  isPlaceholder: !isLocal(host) && isPlaceholderDomain(mailFrom.split("@").at(-1) ?? ""),
});

/** Formats an age: `40 min`, `11 h`, `3 days`. */
function age(secondsAgo: number): string {
  const hours = Math.floor(secondsAgo / HOUR_SECONDS);
  if (hours < 1) return `${Math.floor(secondsAgo / 60)} min`;
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
