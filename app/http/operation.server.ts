import type { ZodType } from "zod";
import { authorOf } from "~/db/audit";
import { isRefusedByRestore, isTransient } from "~/db/metered-d1.server";
import { type CurrentUser, isManaging, isStaff } from "~/session/caller.server";
import { isMultipart } from "./body.server";
import { closedError } from "./closed-books.server";
import { AppError, beingUpdated, type ErrorDetail, INTERNAL_ERROR, validationError } from "./errors";
import { fieldNames } from "./form-fields";
import { isSafe, type RequestContext } from "./request-context.server";
import { logError } from "./request-log.server";
import { type ShopSettings, type ShopVars, shopSettings } from "./shop-settings.server";

/** Access levels: anyone; signed-in users; admins, managers and sellers; admins and managers; admins. */
export type Access = "anyone" | "customer" | "staff" | "manager" | "admin";

/** Context of a caller who has passed the access check; `user` is null only where anyone may call. */
export type OperationContext<A extends Access, I> = RequestContext & {
  input: I;
  user: A extends "anyone" ? CurrentUser | null : CurrentUser;
  /** Settings of the shop, which are read with the caller; where anyone may call, `shopSettings` reads them. */
  settings: A extends "anyone" ? ShopVars : ShopSettings;
};

/** Context of an authenticated member of staff; reads that need staff take it as their parameter. */
export type StaffContext = RequestContext & { user: CurrentUser; settings: ShopSettings };

/** Rate limit of an operation: a limiter of wrangler.toml and the key it counts by. */
export interface Limit {
  limiter: RateLimit;
  key: string;
}

/** Bodies of an operation that takes files. */
type Accepts = "multipart" | "either";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Operation's route in the API, and what the API's document says of it. */
export interface ApiCall {
  /** Method and path below /api with the pattern of its parameters: `PATCH chat/:id`. */
  route: `${Method} ${string}`;
  summary: string;
  /** Body of the success; `file` for bytes of another type. */
  answer: ZodType | "file";
  /** Body, where the input leaves it to rules that depend on the caller. */
  body?: ZodType;
  /** Fields of the input that another method than GET reads from the query. */
  query?: readonly string[];
  /** Statuses of errors besides those that access, input and limits imply. */
  errors?: readonly number[];
  /** Pages through `limit` and `offset`, with X-Total-Count. */
  isList?: boolean;
}

/** Operation without a route, which pages alone run. */
type NoCall = { [Name in keyof ApiCall]?: never };

type Definition<A extends Access, I, O, E> = Rules<A, I, O, E> & (ApiCall | NoCall);

interface Rules<A extends Access, I, O, E> {
  access: A;
  /** Rejects an anonymous visitor with a chat as forbidden: signing in would not permit it. */
  forbidsVisitors?: boolean;
  /** Rejects API keys as forbidden: only a person who signs in may do it. */
  forbidsKeys?: boolean;
  input: ZodType<I>;
  /** HTTP status of success, 200 by default. */
  status?: number;
  /** Largest request body in bytes, 64 kB by default. */
  maxBytes?: number;
  /** Body besides JSON: a form alone, or either of them. `input` receives a form as `{ form }`. */
  accepts?: Accepts;
  /** Largest form with files in bytes, by caller; `maxBytes` by default. */
  maxUploadBytes?(context: RequestContext): Promise<number>;
  /** Largest number of form fields, 200 by default. */
  maxFields?: number;
  /** Schema of the page's form, where `input` does not list its fields. */
  form?: ZodType;
  /** Answers with an ETag and `no-cache` instead of `no-store`. */
  cacheable?: boolean;
  /** Leaves D1's cost out of Server-Timing: the number of rows read would reveal which addresses have an account. */
  hidesCost?: boolean;
  limits?(context: OperationContext<A, I>): Limit[];
  /**
   * Reads that are sent with the reading of the caller, in one round trip, or after the limits where there are some; `run` alone
   * gets their result.
   */
  ahead?(context: RequestContext & { input: I }): Promise<E>;
  run(context: OperationContext<A, I> & { ahead: Promise<E> }): Promise<O>;
}

/** One action of the shop: access, input rules and effect. Pages and /api run the same operations. */
export interface Operation<O> {
  /** null for an operation that pages alone run. */
  call: ApiCall | null;
  access: Access;
  forbidsVisitors: boolean;
  forbidsKeys: boolean;
  status: number;
  maxBytes: number;
  accepts: Accepts | undefined;
  maxUploadBytes(context: RequestContext): Promise<number>;
  maxFields: number;
  fields: readonly string[];
  /** Schema of the JSON body, query and path parameters; of the form where only a form is accepted. */
  input: ZodType;
  isLimited: boolean;
  cacheable: boolean;
  hidesCost: boolean;
  /**
   * Checks access, input and rate limits in this order, then runs.
   *
   * @throws AppError unauthenticated, forbidden, invalid, rateLimited, conflict for a write that is dated in a closed month, or
   * what `run` throws
   */
  execute(context: RequestContext, raw: unknown): Promise<O>;
}

export type ResultOf<T> = T extends Operation<infer O> ? O : never;

const MAX_BODY_BYTES = 64 * 1024;

/** Defines an operation. */
export function operation<A extends Access, I, O, E = never>(
  definition: Definition<A, I, O, E>,
): Operation<O> {
  return {
    call: callOf(definition),
    access: definition.access,
    forbidsVisitors: definition.forbidsVisitors ?? false,
    forbidsKeys: definition.forbidsKeys ?? false,
    status: definition.status ?? 200,
    maxBytes: definition.maxBytes ?? MAX_BODY_BYTES,
    accepts: definition.accepts,
    maxUploadBytes: definition.maxUploadBytes ?? (async () => definition.maxBytes ?? MAX_BODY_BYTES),
    maxFields: definition.maxFields ?? 200,
    fields: [definition.input, definition.form ?? definition.input].flatMap(fieldNames),
    input: definition.input,
    isLimited: definition.limits !== undefined,
    cacheable: definition.cacheable ?? false,
    hidesCost: definition.hidesCost ?? false,
    async execute(context, raw) {
      const begun = begunReads(definition, context, raw);
      const user = await authorise(context, definition.access, definition.forbidsVisitors);
      const key = await context.caller.key();
      if (key && definition.forbidsKeys) throw new AppError("forbidden", "An API key can't change accounts.");
      context.db.author = authorOf(user, key && key !== "invalid" ? key.id : null);
      const input = parseInput(definition.input, raw);
      const settings = definition.access === "anyone" ? context.settings : await shopSettings(context);
      const ready = { ...context, input, user, settings } as OperationContext<A, I>;
      for (const limit of definition.limits?.(ready) ?? []) await enforce(limit);
      const running = definition.run({ ...ready, ahead: begun ?? definition.ahead?.(ready) ?? NEVER });
      return running.catch(async (error) => {
        throw (await closedError(context, error)) ?? error;
      });
    },
  };
}

/** Stands for reads that nobody awaits. */
const NEVER = new Promise<never>(() => undefined);

/**
 * Begins the reads that need no rights, for an input that is valid.
 *
 * @returns null where they have to wait: what an operation limits it does not read before it has counted the attempt
 */
function begunReads<A extends Access, I, O, E>(
  { ahead, input, limits }: Pick<Rules<A, I, O, E>, "ahead" | "input" | "limits">,
  context: RequestContext,
  raw: unknown,
): Promise<E> | null {
  if (!ahead || limits) return null;
  const parsed = input.safeParse(raw);
  if (!parsed.success) return null;
  const reading = ahead({ ...context, input: parsed.data });
  // A caller who may not never learns of a failure either.
  reading.catch(() => undefined);
  return reading;
}

function callOf({ route, summary, answer, body, query, errors, isList }: ApiCall | NoCall): ApiCall | null {
  return route ? { route, summary, answer, body, query, errors, isList } : null;
}

/**
 * Determines the largest body of a request before it is read; a form with files may have a limit of its own.
 *
 * @param operations among which the body chooses
 * @returns bytes
 */
export async function bodyLimit(
  context: RequestContext,
  request: Request,
  operations: Pick<Operation<unknown>, "maxBytes" | "maxUploadBytes">[],
): Promise<number> {
  const isUpload = isMultipart(request);
  const limits = operations.map((op) => (isUpload ? op.maxUploadBytes(context) : op.maxBytes));
  return Math.max(...(await Promise.all(limits)));
}

/**
 * Hides a request's D1 cost when one of the route's operations requires it. The rule belongs to the route, so that a
 * rejected call does not differ from a successful one.
 *
 * @param operations all operations of the route
 */
export function hideCost(context: RequestContext, operations: Pick<Operation<unknown>, "hidesCost">[]): void {
  if (operations.some(({ hidesCost }) => hidesCost)) context.meter.isConfidential = true;
}

/**
 * Authenticates the caller and checks their access. The settings, which most acts of a known caller need, are read beside.
 *
 * @returns the signed-in user, or null where anyone may call
 * @throws AppError unauthenticated (401) or forbidden (403)
 */
export async function authorise(
  context: RequestContext,
  access: Access,
  forbidsVisitors?: boolean,
): Promise<CurrentUser | null> {
  const isNamed = context.cookies.session !== null || context.request.headers.has("Authorization");
  if (isNamed && access !== "anyone") void shopSettings(context);
  const user = await context.caller.user();
  const key = await context.caller.key();
  if (key === "invalid") throw new AppError("unauthenticated", "This API key is not valid.");
  if (key?.scope === "read" && !isSafe(context.request))
    throw new AppError("forbidden", "This API key may only read.");
  if (access === "anyone") return user;
  if (!user && !(forbidsVisitors && context.cookies.chats.length > 0))
    throw new AppError("unauthenticated", "Please log in to continue.");
  if (!user || !mayCall(user, access)) throw new AppError("forbidden", refusalOf(user));
  return user;
}

const refusalOf = (user: CurrentUser | null): string =>
  user?.owesFactor
    ? "The shop requires a second factor of its staff. Set it up under My Account first."
    : "You don't have permission to do this.";

/** Tells that a signed-in user has the role for an access level. */
function mayCall(user: CurrentUser, access: Access): boolean {
  if (access === "admin") return user.isAdmin && isStaff(user);
  return access === "manager" ? isManaging(user) : access !== "staff" || isStaff(user);
}

/** Maximum number of reported problems: more than any form has fields, and few enough for a small response. */
const MAX_PROBLEMS = 100;

/**
 * Checks input against its schema.
 *
 * @throws AppError invalid (400) with every problem, at most MAX_PROBLEMS
 */
export function parseInput<I>(schema: ZodType<I>, raw: unknown): I {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw validationError(firstPerField(problems));
}

/** Keeps the first problem of each field: a value of the wrong type breaks the later rules as well. */
function firstPerField(problems: ErrorDetail[]): ErrorDetail[] {
  const first = new Map<string, ErrorDetail>();
  for (const problem of problems) if (!first.has(problem.path)) first.set(problem.path, problem);
  return [...first.values()].slice(0, MAX_PROBLEMS);
}

/** Counts one attempt. @throws AppError rateLimited (429) with Retry-After */
export async function enforce({ limiter, key }: Limit): Promise<void> {
  const { success } = await limiter.limit({ key });
  if (success) return;
  throw new AppError("rateLimited", "Too many attempts. Please wait a minute and try again.", {
    headers: { "Retry-After": "60" },
  });
}

/** Rows of a list and their total; the API sends a bare array with X-Total-Count. */
export class Listing<T> {
  constructor(
    readonly rows: T[],
    readonly total: number,
  ) {}
}

/**
 * Converts any thrown value to an AppError.
 *
 * @returns the AppError itself; `unavailable` for a write during a restore; after logging, `unavailable`
 *   for transient D1 errors and `internal` for all others
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isRefusedByRestore(error)) return beingUpdated();
  const isPassing = isTransient(error);
  logError(error, isPassing ? "warn" : "error");
  if (isPassing) return new AppError("unavailable", "Please try again.", { headers: { "Retry-After": "1" } });
  return new AppError("internal", INTERNAL_ERROR);
}
