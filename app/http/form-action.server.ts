import { parse, type Submission } from "@conform-to/react";
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { isRouteErrorResponse } from "@remix-run/react";
import { locationOf, redirect } from "~/http/redirect.server";
import { readForm } from "./body.server";
import { AppError, CHECK_FIELDS, type ErrorDetail, readableError, validationError } from "./errors";
import {
  type Access,
  asAppError,
  authorise,
  bodyLimit,
  hideCost,
  type Operation,
  parseInput,
} from "./operation.server";
import { redirectToLogin, refusedUrl } from "./page.server";
import { type RequestContext, requireWritable } from "./request-context.server";
import { outgoingHeaders } from "./response-headers.server";
import { type Toast, toastSession, toFlash } from "./toasts.server";

/** Form fields that choose the outcome and are no input of the operation. */
const OUTCOME_FIELDS = ["redirectTo", "stay", "quietly", "chat", "list"] as const;
type OutcomeFields = Partial<Record<(typeof OUTCOME_FIELDS)[number], unknown>>;

interface Outcome {
  to?: string;
  toast?: Toast | string;
  stay?: boolean;
  page?: unknown;
}

/** Operation behind one `intent` of a page's forms. */
export interface FormIntent<O> {
  operation: Operation<O>;
  /**
   * Redirect target after success (default: the page itself) and its toast. With `stay`, for forms sent by a script, the
   * response is JSON with both. With `page` there is no redirect either: the form is drawn again with this data.
   */
  done?(result: O, form: OutcomeFields): Outcome | Promise<Outcome>;
  /**
   * Error message above the form; null for the default (`errorMessage`).
   *
   * @param fields empty for a form that could not be read
   */
  failed?(error: AppError, fields: FormData): string | null;
  /** Names unusual values, which are to be confirmed once; null for none. The page's form repeats the text as `confirmed`. */
  confirmation?(fields: FormData, context: RequestContext): string | null;
  /** Checks a form that waits for a confirmation further than its input, and stores nothing. */
  check?: Operation<unknown>;
}

/** Forms of a page by their `intent` field. */
export type FormIntents = Record<string, FormIntent<unknown>>;

/** Pairs an operation with its outcome, so that `done` has the operation's result type. */
export function intent<O>(
  operation: Operation<O>,
  outcome: Omit<FormIntent<O>, "operation"> = {},
): FormIntent<unknown> {
  return { operation, ...outcome } as FormIntent<unknown>;
}

/**
 * Builds the message above a failed form from the server's error. It is null for invalid fields, which have messages
 * of their own.
 *
 * @param prefix such as "Login failed! "
 * @param fallback in place of the message of an internal error
 */
export function failureMessage(prefix: string, fallback?: string) {
  return ({ code, message, details }: AppError): string | null => {
    if (code === "invalid" && details) return null;
    return prefix + (code === "internal" && fallback ? fallback : message);
  };
}

const SECRET_FIELDS = ["password", "confirmPassword", "currentPassword", "newPassword", "token"];

/**
 * Runs the operation of an HTML form (docs/architecture.md, Operations).
 *
 * Success is a redirect (303) with a toast. An error returns its status, the message beside its field and everything
 * typed except passwords. Signed-out callers are redirected to /login, callers without permission to /unauthorized.
 *
 * @param args arguments of the page's action
 * @param intents by the form's `intent` field; the first one is the default
 * @returns `{ lastResult, failure }` for useForm and the page's status region
 */
export async function formAction(args: ActionFunctionArgs, intents: FormIntents) {
  const { request, context, params } = args;
  hideCost(
    context,
    Object.values(intents).map(({ operation }) => operation),
  );
  let form = new FormData();
  let submission = parseSubmission(form);
  let chosen = Object.values(intents)[0] as FormIntent<unknown>;
  try {
    const operations = Object.values(intents).map(({ operation }) => operation);
    // Where anyone may send a form, each operation reads the caller, beside what it needs besides.
    const access = leastAccess(operations);
    if (access !== "anyone") await authorise(context, access);
    const limits = { ...formLimits(operations), maxBytes: await bodyLimit(context, request, operations) };
    form = await readForm(request, limits).catch(refuseUnlessUpload(operations));
    submission = parseSubmission(form);
    const { intent: name, ...fields } = submission.payload;
    const known = name === undefined ? chosen : findIntent(intents, name);
    chosen = known ?? chosen;
    requireWritable(context);
    if (!known) throw new AppError("invalid", "This page can't do that.");
    const raw = chosen.operation.accepts ? { form, ...params } : { ...fields, ...params };
    await requireConfirmation(chosen, form, raw, context);
    const result = await chosen.operation.execute(context, raw);
    return await successReply(args, (await chosen.done?.(result, fields)) ?? {});
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = readableError(asAppError(error));
    if (known.code === "unauthenticated") throw redirectToLogin(request.url, request.method);
    if (known.code === "forbidden" && !known.details)
      throw redirect(refusedUrl(await context.caller.user()), 303);
    return errorReply(args, submission, known, { chosen, form });
  }
}

/** Parses a form with conform, which returns what was typed; the operation validates it. */
function parseSubmission(form: FormData): Submission<null, string[], null> {
  return parse<null, string[]>(form, { resolve: () => ({ value: null }) }) as Submission<
    null,
    string[],
    null
  >;
}

/** Field of a form that repeats what is to be confirmed: sending it again confirms it. */
const CONFIRMED = "confirmed";

/**
 * Requires a form that is right otherwise to confirm its unusual values.
 *
 * @throws AppError invalid with the problems of its fields, else with what it does not confirm
 */
async function requireConfirmation(
  chosen: FormIntent<unknown>,
  form: FormData,
  raw: unknown,
  context: RequestContext,
): Promise<void> {
  const asked = chosen.confirmation?.(form, context) ?? null;
  if (asked === null || form.get(CONFIRMED) === asked) return;
  const problems = await problemsOf(chosen, raw, context);
  if (problems.length > 0) throw validationError(problems);
  throw new AppError("invalid", asked, { fieldValues: { [CONFIRMED]: asked } });
}

async function problemsOf(
  { operation, check }: FormIntent<unknown>,
  raw: unknown,
  context: RequestContext,
): Promise<ErrorDetail[]> {
  try {
    parseInput(operation.input, raw);
    await check?.execute(context, raw);
    return [];
  } catch (error) {
    if (error instanceof AppError && error.details) return error.details;
    throw error;
  }
}

function findIntent(intents: FormIntents, name: unknown): FormIntent<unknown> | undefined {
  return typeof name === "string" && Object.hasOwn(intents, name) ? intents[name] : undefined;
}

/** Finds the lowest access level among a page's forms; callers below it are refused before the body is read. */
function leastAccess(operations: Operation<unknown>[]): Access {
  const levels = operations.map(({ access }) => access);
  const order: Access[] = ["anyone", "customer", "staff", "manager"];
  return order.find((access) => levels.includes(access)) ?? "admin";
}

/** Field of any form: the key of its page (`FormKey`), which few operations read. */
const PAGE_KEY = "key";

function formLimits(operations: Operation<unknown>[]) {
  return {
    maxFields: Math.max(...operations.map(({ maxFields }) => maxFields)),
    names: new Set([
      "intent",
      PAGE_KEY,
      CONFIRMED,
      ...OUTCOME_FIELDS,
      ...operations.flatMap(({ fields }) => fields),
    ]),
  };
}

/**
 * Answers an unreadable body with the minimal document, except oversized files, which the page explains: choosing
 * another file is up to its form.
 */
function refuseUnlessUpload(operations: Operation<unknown>[]): (error: unknown) => never {
  const takesFiles = operations.some(({ accepts }) => accepts);
  return (error) => {
    const isPageError = !(error instanceof AppError) || (error.code === "tooLarge" && takesFiles);
    throw isPageError ? error : refusedForm(error);
  };
}

/** Answers a form that succeeded: a redirect, or for `stay` and `page` the outcome as JSON. */
async function successReply(args: ActionFunctionArgs, { to, toast, stay, page }: Outcome) {
  const { pathname, search } = new URL(args.request.url);
  if (!stay && !page) return redirectAfter(args, to ?? pathname + search, toast);
  const headers = await outgoingHeaders(args.context);
  return json({ lastResult: null, failure: null, to, toast, page }, { headers });
}

async function redirectAfter({ context }: ActionFunctionArgs, to: string, toast?: Toast | string) {
  const headers = await outgoingHeaders(context);
  if (!toast) return redirect(to, { status: 303, headers });
  const message: Toast = typeof toast === "string" ? { type: "success", message: toast } : toast;
  return toastSession(context).redirectWithToast(locationOf(to), toFlash(message), { status: 303, headers });
}

async function errorReply(
  { context }: ActionFunctionArgs,
  submission: Submission<null, string[], null>,
  error: AppError,
  { chosen, form }: { chosen: FormIntent<unknown>; form: FormData },
) {
  const fieldErrors: Record<string, string[]> = {};
  for (const { path, message } of error.details ?? [])
    fieldErrors[path] = [...(fieldErrors[path] ?? []), message];
  const failure = error.fieldValues[CONFIRMED] ?? chosen.failed?.(error, form) ?? errorMessage(error);
  const reply = submission.reply({
    formErrors: failure ? [failure] : [],
    fieldErrors,
    hideFields: SECRET_FIELDS,
  });
  const lastResult = { ...reply, initialValue: { ...reply.initialValue, ...error.fieldValues } };
  const headers = await outgoingHeaders(context);
  for (const [name, value] of Object.entries(error.headers)) {
    headers.set(name, value);
    // Remix ignores an action's headers when it renders the page; the Worker sets these.
    context.headers.set(name, value);
  }
  const answer = { lastResult, failure, status: error.status, files: chosenFiles(submission.payload) };
  return json(answer, { status: error.status, headers });
}

/** Returns the names of the fields with a chosen file; an empty field sends a nameless one. */
export function chosenFiles(values: Record<string, unknown>): string[] {
  const isChosen = (value: unknown) => value instanceof File && (value.name !== "" || value.size > 0);
  return Object.keys(values).filter((name) => [values[name]].flat().some(isChosen));
}

/** Returns the error's message, or a summary where each problem stands beside its field. */
function errorMessage({ message, details }: AppError): string {
  const isListed = details && !details.some((detail) => detail.message === message);
  return isListed ? CHECK_FIELDS : message;
}

interface Refusal {
  message: string;
  isRefusedForm: true;
}

/**
 * Creates the response to a body that no form of the shop can have sent. entry.server.tsx renders it as a minimal
 * document with the message alone.
 *
 * @returns a response for an action to throw
 */
function refusedForm({ message, status }: AppError): Response {
  return json({ message, isRefusedForm: true } satisfies Refusal, { status });
}

/** Finds the refused form among a request's errors. @returns its message, or null */
export function refusalIn(errors: Record<string, unknown> | null): string | null {
  const isRefusal = (error: unknown): error is { data: Refusal } =>
    isRouteErrorResponse(error) && error.data?.isRefusedForm === true;
  return Object.values(errors ?? {}).find(isRefusal)?.data.message ?? null;
}
