import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { SLICE_HEADER } from "~/features/backup/archive";
import { BACKUP_FOLDER, beginBackup, type Cursor, nextSlice } from "~/features/backup/operations.server";
import { beginRestore, finishRestore, RestoreManifest, restoreSlice } from "~/features/backup/restore.server";
import { readForCheck } from "~/features/health/checks.server";
import { mailTest } from "~/features/health/mail.server";
import { readiness, requireCompleteSchema } from "~/features/health/operations.server";
import { erasedMails } from "~/features/privacy/deletion.server";
import { BODY_TOO_LARGE, parseJson, readBody } from "~/http/body.server";
import { AppError } from "~/http/errors";
import { parseInput } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { describeError, logError } from "~/http/request-log.server";
import { settingsForTask } from "~/http/shop-settings.server";
import { backupFiles, runNightlyJobs, storedBackups } from "./nightly";

const MIN_KEY_BYTES = 32;
const NO_STORE = { "Cache-Control": "no-store" };

/**
 * Answers the paths for operators: /healthz and /readyz for everyone, /operator/… with BACKUP_KEY
 * (docs/operations.md).
 *
 * @returns null for any other path
 * @throws AppError notFound without the key
 */
export async function operatorResponse({ request, url, env }: RequestContext): Promise<Response | null> {
  const { pathname, host } = url;
  if (pathname === "/healthz") return Response.json({ status: "ok" }, { headers: NO_STORE });
  if (pathname === "/readyz") return ready(env, host);
  if (!pathname.startsWith("/operator/")) return null;
  // The same answer as for an unknown path, so that nothing tells whether a key is set.
  if (!(await hasKey(request, env))) throw new AppError("notFound", "Not found");
  const handle = ROUTES[`${request.method} ${pathname}`];
  if (!handle) throw new AppError("notFound", "Not found");
  const response = await handle(request, env).catch(answerError);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

async function ready(env: Env, host: string): Promise<Response> {
  const checks = await readiness(env, host);
  const failing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  return Response.json(
    { ready: failing.length === 0, failing, checks },
    { status: failing.length === 0 ? 200 : 503, headers: NO_STORE },
  );
}

/** Compares the bearer token with BACKUP_KEY in constant time; a short or missing key opens nothing. */
async function hasKey(request: Request, { BACKUP_KEY = "" }: Env): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const sent = request.headers.get("Authorization")?.replace(/^Bearer\s+/i, "") ?? "";
  const isEqual = timingSafeEqual(await digest(sent), await digest(BACKUP_KEY));
  return isEqual && BACKUP_KEY.length >= MIN_KEY_BYTES;
}

/** Names an unexpected error itself: the holder of the key may read it, and has no log at hand. */
function answerError(error: unknown): Response {
  if (error instanceof AppError) throw error;
  const reference = logError(error);
  return Response.json({ message: describeError(error), reference }, { status: 500 });
}

type Handler = (request: Request, env: Env) => Promise<Response>;

const ROUTES: Record<string, Handler> = {
  "POST /operator/backup": async (request, env) =>
    Response.json(await beginBackup(env, "manual", { takesOver: takesOver(request) })),
  "POST /operator/backup/slice": makeSlice,
  "GET /operator/backups": listBackups,
  "GET /operator/backups/file": readBackupFile,
  "GET /operator/erased-mails": async (_, env) => Response.json(await erasedMails(env)),
  "POST /operator/mail": async (request, env) => {
    const { to } = await readInput(request, z.object({ to: z.string() }));
    return Response.json({ from: (await settingsForTask(env)).mailFrom, refusal: await mailTest(env, to) });
  },
  "POST /operator/nightly": async (_, env) => Response.json(await runNightlyJobs(env)),
  "GET /operator/read": async (request, env) => {
    const { searchParams } = new URL(request.url);
    const seq = parseInput(z.coerce.number().int().nonnegative(), searchParams.get("seq") ?? 0);
    return Response.json(await readForCheck(env, searchParams.get("name") ?? "", seq));
  },
  "POST /operator/restore": async (request, env) =>
    Response.json(await beginRestore(env, await readInput(request, RestoreManifest), takesOver(request))),
  "PUT /operator/restore/slice": storeSlice,
  "POST /operator/restore/end": async (request, env) => {
    const { searchParams } = new URL(request.url);
    const options = { keepsMissing: searchParams.has("keep-missing") };
    return Response.json(await finishRestore(env, searchParams.get("token") ?? "", options));
  },
};

const takesOver = (request: Request) => new URL(request.url).searchParams.has("take-over");

/** Bytes of a manifest or a cursor: a slice takes about ten. */
const MAX_BODY_BYTES = 4_000_000;

/** Reads a body of JSON. @throws AppError invalid for a malformed one */
const readInput = async <I>(request: Request, schema: z.ZodType<I>): Promise<I> =>
  parseInput(schema, parseJson(await readBody(request, MAX_BODY_BYTES)));

const tally = z.object({ count: z.int(), bytes: z.int(), sha256: z.string() });

/** Cursor as an earlier answer has sent it. */
const BackupCursor: z.ZodType<Cursor> = z.object({
  id: z.string(),
  createdAt: z.string(),
  stage: z.enum(["rows", "chats", "objects", "end"]),
  after: z.union([z.number(), z.string()]),
  open: z.array(z.object({ id: z.string(), after: z.int() })),
  tables: z.record(z.string(), tally),
  chats: tally,
  objects: tally,
  slices: z.array(z.int()),
  sha256: z.string(),
  damaged: z.array(z.object({ id: z.string(), error: z.string() })).optional(),
});

/** Answers a cursor with the slice, followed by the next cursor. */
async function makeSlice(request: Request, env: Env): Promise<Response> {
  const { bytes, content } = await nextSlice(env, await readInput(request, BackupCursor));
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await content.next();
        controller.enqueue(done ? new TextEncoder().encode(JSON.stringify(value)) : value);
        if (done) controller.close();
      },
      cancel: () => content.return(null).then(() => {}),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { [SLICE_HEADER]: String(bytes) } });
}

/** Lists the stored backups, or the files of one. */
async function listBackups(request: Request, { BUCKET }: Env): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const id = searchParams.get("id");
  if (id === null) return Response.json(await storedBackups(BUCKET));
  return Response.json(await backupFiles(BUCKET, id, searchParams.get("after") ?? undefined));
}

async function readBackupFile(request: Request, { BUCKET }: Env): Promise<Response> {
  const key = new URL(request.url).searchParams.get("key") ?? "";
  const file = key.startsWith(BACKUP_FOLDER) ? await BUCKET.get(key) : null;
  if (!file) throw new AppError("notFound", "No such backup");
  return new Response(file.body);
}

/** Bytes of a slice: a large file, or rows of an older archive. */
const MAX_SLICE_BYTES = 16_000_000;

async function storeSlice(request: Request, env: Env): Promise<Response> {
  const { searchParams } = new URL(request.url);
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_SLICE_BYTES)
    throw new AppError("tooLarge", BODY_TOO_LARGE);
  if (!request.body) throw new AppError("invalid", "Send a slice.");
  const step = {
    token: searchParams.get("token") ?? "",
    slice: parseInput(z.coerce.number().int().nonnegative(), searchParams.get("slice")),
    isLastPart: !searchParams.has("more"),
    data: request.body,
  };
  return Response.json({ next: await restoreSlice(env, step) });
}

/** Refuses a write while the schema is incomplete; a page does that itself, with the form as it was sent. */
export async function requireSchema(request: Request, context: RequestContext): Promise<void> {
  try {
    await requireCompleteSchema(context.env);
  } catch (error) {
    const isPage = !/^\/(?:api|socket\.io)(?:\/|$)/i.test(new URL(request.url).pathname);
    if (!isPage || !(error instanceof AppError)) throw error;
    context.refusal = error;
    for (const [name, value] of Object.entries(error.headers)) context.headers.set(name, value);
  }
}
