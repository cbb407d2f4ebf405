import { parse, type Submission } from "@conform-to/react";
import { type ActionFunctionArgs, json, redirect } from "@remix-run/cloudflare";
import { readForm } from "./body.server";
import { AppError, CHECK_FIELDS } from "./errors";
import { type Access, asAppError, authorise, hideCost, type Operation } from "./operation.server";
import { redirectToLogin } from "./redirects.server";
import { rejectedForm } from "./rejected-form.server";
import { outgoingHeaders } from "./response-headers.server";
import { type Toast, toastSession, toFlash } from "./toasts.server";

/** Fields that say what follows the operation, in place of what it is given. */
const OUTCOME_FIELDS = ["redirectTo", "stay", "quietly", "chat"] as const;
type OutcomeFields = Partial<Record<(typeof OUTCOME_FIELDS)[number], unknown>>;

/** One thing a page's form can ask for, by its `intent`. */
export interface FormIntent<O> {
  operation: Operation<O>;
  /**
   * Target of the redirect after success (default: the page itself) and its toast. With `stay` a script sent the form:
   * the answer is JSON with both.
   */
  done?(result: O, form: OutcomeFields): { to?: string; toast?: Toast | string; stay?: boolean };
  /** What a refusal says above the form; default (and null): see `said`. */
  failed?(error: AppError): string | null;
}

/** Ties an intent's operation to its outcome, so that each `done` sees its own operation's result. */
export function intent<O>(
  operation: Operation<O>,
  outcome: Omit<FormIntent<O>, "operation"> = {},
): FormIntent<unknown> {
  return { operation, ...outcome } as FormIntent<unknown>;
}

const SECRET_FIELDS = ["password", "confirmPassword", "currentPassword", "newPassword", "token"];

/**
 * Runs the operation that a plain HTML form asks for (architecture: One rule, one place).
 *
 * Success is a redirect (303) with a toast; a refusal comes back with its status, the error beside its
 * field and everything but passwords still typed in. A signed-out caller is led to /login, one who may
 * not to /unauthorized.
 *
 * @param args of the page's action
 * @param intents by the form's `intent` field; the first one where the form names none
 * @returns `{ lastResult, failure }` for useForm and the page's status region
 */
export async function formAction(args: ActionFunctionArgs, intents: Record<string, FormIntent<unknown>>) {
  const { request, context, params } = args;
  hideCost(
    context,
    Object.values(intents).map(({ operation }) => operation),
  );
  let submission = submissionOf(new FormData());
  let chosen = Object.values(intents)[0] as FormIntent<unknown>;
  try {
    const operations = Object.values(intents).map(({ operation }) => operation);
    await authorise(context, leastAccess(operations));
    const form = await readForm(request, limitsOf(operations)).catch(rejectUnlessLarge);
    submission = submissionOf(form);
    const { intent: name, ...fields } = submission.payload;
    const known = name === undefined ? chosen : named(intents, name);
    chosen = known ?? chosen;
    if (!known) throw new AppError("invalid", "This page can't do that.");
    const raw = chosen.operation.accepts === "multipart" ? { form, ...params } : { ...fields, ...params };
    const result = await chosen.operation.execute(context, raw);
    const { to, toast, stay } = chosen.done?.(result, fields) ?? {};
    if (stay)
      return json(
        { lastResult: null, failure: null, to, toast },
        { headers: await outgoingHeaders(context) },
      );
    return await redirectAfter(
      args,
      to ?? new URL(request.url).pathname + new URL(request.url).search,
      toast,
    );
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = asAppError(error);
    if (known.code === "unauthenticated") throw redirectToLogin(request);
    if (known.code === "forbidden" && !known.details) throw redirect("/unauthorized", 303);
    return refusal(args, submission, known, chosen);
  }
}

/** What was typed, and conform's way to send it back; the rules are checked by the operation. */
function submissionOf(form: FormData): Submission<null, string[], null> {
  return parse<null, string[]>(form, { resolve: () => ({ value: null }) }) as Submission<
    null,
    string[],
    null
  >;
}

function named(intents: Record<string, FormIntent<unknown>>, name: unknown): FormIntent<unknown> | undefined {
  return typeof name === "string" && Object.hasOwn(intents, name) ? intents[name] : undefined;
}

/** The access that any of a page's forms asks for: whoever has less is refused before the body is read. */
function leastAccess(operations: Operation<unknown>[]): Access {
  const asked = operations.map(({ access }) => access);
  const order: Access[] = ["anyone", "customer", "staff"];
  return order.find((access) => asked.includes(access)) ?? "admin";
}

function limitsOf(operations: Operation<unknown>[]) {
  return {
    maxBytes: Math.max(...operations.map(({ maxBytes }) => maxBytes)),
    maxFields: Math.max(...operations.map(({ maxFields }) => maxFields)),
    names: new Set(["intent", ...OUTCOME_FIELDS, ...operations.flatMap(({ fields }) => fields)]),
  };
}

/** A form that is too large is a person's, whose page says so; any other that can't be read is none of the shop's forms. */
function rejectUnlessLarge(error: unknown): never {
  throw error instanceof AppError && error.code !== "tooLarge" ? rejectedForm(error) : error;
}

async function redirectAfter({ context }: ActionFunctionArgs, to: string, toast?: Toast | string) {
  const headers = await outgoingHeaders(context);
  if (!toast) return redirect(to, { status: 303, headers });
  const message: Toast = typeof toast === "string" ? { type: "success", message: toast } : toast;
  return toastSession(context).redirectWithToast(to, toFlash(message), { status: 303, headers });
}

async function refusal(
  { context }: ActionFunctionArgs,
  submission: Submission<null, string[], null>,
  error: AppError,
  chosen: FormIntent<unknown>,
) {
  const fieldErrors: Record<string, string[]> = {};
  for (const { path, message } of error.details ?? [])
    fieldErrors[path] = [...(fieldErrors[path] ?? []), message];
  const failure = chosen.failed?.(error) ?? said(error);
  const reply = submission.reply({
    formErrors: failure ? [failure] : [],
    fieldErrors,
    hideFields: SECRET_FIELDS,
  });
  const lastResult = { ...reply, initialValue: { ...reply.initialValue, ...error.instead } };
  const headers = await outgoingHeaders(context);
  for (const [name, value] of Object.entries(error.headers)) {
    headers.set(name, value);
    // A document takes no headers from an action; the Worker puts these on.
    context.headers.set(name, value);
  }
  return json({ lastResult, failure }, { status: error.status, headers });
}

/** The error's own text; of a list, each entry of which stands beside its field, only that there is one. */
function said({ message, details }: AppError): string {
  const listed = details && !details.some((detail) => detail.message === message);
  return listed ? CHECK_FIELDS : message;
}
