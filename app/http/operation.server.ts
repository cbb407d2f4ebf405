import type { ZodType } from "zod";
import { isTransient } from "~/db/metered-d1.server";
import type { CurrentUser } from "~/session/current-user";
import { AppError, type ErrorDetail, validationError } from "./errors";
import { fieldNames } from "./form-fields";
import type { RequestContext } from "./request-context.server";

/** Who may call: anyone, who is signed in, admins and managers, admins. */
export type Access = "anyone" | "customer" | "staff" | "admin";

/** The context of a caller who has passed the access check: `user` is there wherever access asks for one. */
export type OperationContext<A extends Access, I> = RequestContext & {
  input: I;
  user: A extends "anyone" ? CurrentUser | null : CurrentUser;
};

/** The context of an authenticated admin or manager; reads that need staff ask for it by type. */
export type StaffContext = RequestContext & { user: CurrentUser };

/** How often something may be done: one of wrangler.toml's limits, and who is counted. */
export interface Limit {
  limiter: RateLimit;
  key: string;
}

interface Definition<A extends Access, I, O> {
  access: A;
  input: ZodType<I>;
  /** HTTP status of success, 200 unless said. */
  status?: number;
  /** Largest request body in bytes, 64 kB unless said. */
  maxBytes?: number;
  /** Kinds of body besides JSON. */
  accepts?: "multipart";
  /** Most fields of a form, 200 unless said. */
  maxFields?: number;
  /** Schema of the page's form, for an input that leaves fields to later rules. */
  form?: ZodType;
  /** Answered with an ETag and `no-cache` in place of `no-store`. */
  cacheable?: boolean;
  /** Leaves D1's cost out of Server-Timing: rows read would tell whether an address has an account. */
  hidesCost?: boolean;
  limits?(context: OperationContext<A, I>): Limit[];
  run(context: OperationContext<A, I>): Promise<O>;
}

/** One act of the shop: its access, its input's rules and what happens. Pages and /api run the same ones. */
export interface Operation<O> {
  access: Access;
  status: number;
  maxBytes: number;
  accepts: "multipart" | undefined;
  maxFields: number;
  /** Names of the fields that a form for this has. */
  fields: readonly string[];
  cacheable: boolean;
  hidesCost: boolean;
  /**
   * Who is calling → may they → is the input right → not too often → run.
   *
   * @throws AppError unauthenticated, forbidden, invalid, rateLimited, or what `run` throws
   */
  execute(context: RequestContext, raw: unknown): Promise<O>;
}

/** Result type of an operation. */
export type ResultOf<T> = T extends Operation<infer O> ? O : never;

/**
 * Defines an operation.
 *
 * @param definition access, zod input, optional limits, and `run`
 */
export function operation<A extends Access, I, O>(definition: Definition<A, I, O>): Operation<O> {
  return {
    access: definition.access,
    status: definition.status ?? 200,
    maxBytes: definition.maxBytes ?? 64 * 1024,
    accepts: definition.accepts,
    maxFields: definition.maxFields ?? 200,
    fields: [definition.input, definition.form ?? definition.input].flatMap(fieldNames),
    cacheable: definition.cacheable ?? false,
    hidesCost: definition.hidesCost ?? false,
    async execute(context, raw) {
      const user = await authorise(context, definition.access);
      const input = parseInput(definition.input, raw);
      const ready = { ...context, input, user } as OperationContext<A, I>;
      for (const limit of definition.limits?.(ready) ?? []) await enforce(limit);
      return definition.run(ready);
    },
  };
}

/**
 * Keeps a request's cost to the Worker where one of a route's operations asks for it. Said of the route, so that
 * neither a refusal nor the spelling of the path makes a difference.
 *
 * @param operations all that the route may run
 */
export function hideCost(context: RequestContext, operations: Pick<Operation<unknown>, "hidesCost">[]): void {
  if (operations.some(({ hidesCost }) => hidesCost)) context.meter.isConfidential = true;
}

/**
 * Asks who is calling and whether they may.
 *
 * @returns the signed-in user, or null where anyone may call
 * @throws AppError unauthenticated (401) or forbidden (403)
 */
export async function authorise(context: RequestContext, access: Access): Promise<CurrentUser | null> {
  const user = await context.caller.user();
  if (access === "anyone") return user;
  if (!user) throw new AppError("unauthenticated", "Please log in to continue.");
  const may = access === "customer" || user.isAdmin || (access === "staff" && user.isManager);
  if (!may) throw new AppError("forbidden", "You don't have permission to do this.");
  return user;
}

/**
 * Checks input against its schema.
 *
 * @throws AppError invalid (400) with every problem
 */
export function parseInput<I>(schema: ZodType<I>, raw: unknown): I {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const found = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw validationError(firstOfEach(found));
}

/** What is of the wrong type is also missing, too short and so on: the first thing said of a field is the one that helps. */
function firstOfEach(found: ErrorDetail[]): ErrorDetail[] {
  return found.filter(({ path }, at) => found.findIndex((each) => each.path === path) === at);
}

/**
 * Counts one more try.
 *
 * @throws AppError rateLimited (429) with Retry-After
 */
export async function enforce({ limiter, key }: Limit): Promise<void> {
  const { success } = await limiter.limit({ key });
  if (success) return;
  throw new AppError("rateLimited", "Too many attempts. Please wait a minute and try again.", {
    headers: { "Retry-After": "60" },
  });
}

/** A list's rows and how many there are in all: sent as a bare array with X-Total-Count. */
export class Listing<T> {
  constructor(
    readonly rows: T[],
    readonly total: number,
  ) {}
}

/**
 * What may be told of an error.
 *
 * @returns the AppError itself; `unavailable` for D1's passing faults; otherwise, after logging it, `internal`
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isTransient(error))
    return new AppError("unavailable", "Please try again.", { headers: { "Retry-After": "1" } });
  console.error(error);
  return new AppError("internal", "Internal Server Error");
}
