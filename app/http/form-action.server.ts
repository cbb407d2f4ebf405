import { parse, type Submission } from "@conform-to/react";
import { type ActionFunctionArgs, json, redirect } from "@remix-run/cloudflare";
import { asAppError } from "./api-route.server";
import { readForm } from "./body.server";
import { AppError, CHECK_FIELDS } from "./errors";
import { readFormHead } from "./form-head.server";
import { authorise, type Operation } from "./operation.server";
import { outgoingHeaders } from "./outgoing-headers.server";
import { toLogin } from "./redirect-to-login.server";
import { asFlash, type Toast, toasts } from "./toasts.server";

/** One thing a page's form can ask for, by its `intent`. */
export interface FormIntent<O> {
  operation: Operation<O>;
  /**
   * Where success leads (default: the page itself) and what is said there. With `stay` it leads nowhere: a script
   * that sent the form behind the page is told the toast.
   */
  done?(result: O, form: Record<string, unknown>): { to?: string; toast?: Toast | string; stay?: boolean };
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
  let submission = submissionOf(new FormData());
  let chosen = Object.values(intents)[0] as FormIntent<unknown>;
  try {
    const form = await readForm(request, maxBytes(intents)).catch(async (error: unknown) => {
      submission = submissionOf(await readFormHead(request));
      throw error;
    });
    submission = submissionOf(form);
    const { intent: name, ...fields } = submission.payload;
    const known = name === undefined ? chosen : named(intents, name);
    chosen = known ?? chosen;
    await authorise(context, chosen.operation.access);
    if (!known) throw new AppError("invalid", "This page can't do that.");
    const raw = chosen.operation.accepts === "multipart" ? { form, ...params } : { ...fields, ...params };
    const result = await chosen.operation.execute(context, raw);
    const { to, toast, stay } = chosen.done?.(result, fields) ?? {};
    if (stay)
      return json({ lastResult: null, failure: null, toast }, { headers: await outgoingHeaders(context) });
    return await redirectAfter(
      args,
      to ?? new URL(request.url).pathname + new URL(request.url).search,
      toast,
    );
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = asAppError(error);
    if (known.code === "unauthenticated") throw toLogin(request);
    if (known.code === "forbidden" && !known.details) throw redirect("/unauthorized", 303);
    return refusal(args, submission, known, chosen);
  }
}

/** What was typed, and conform's way to send it back; the rules are checked by the operation. */
function submissionOf(form: FormData): Submission<null, string[], null> {
  // Conform's own fields are for its script alone; a forged one would make it throw.
  for (const name of ["__intent__", "__state__"]) form.delete(name);
  return parse<null, string[]>(form, { resolve: () => ({ value: null }) }) as Submission<
    null,
    string[],
    null
  >;
}

function named(intents: Record<string, FormIntent<unknown>>, name: unknown): FormIntent<unknown> | undefined {
  return typeof name === "string" && Object.hasOwn(intents, name) ? intents[name] : undefined;
}

function maxBytes(intents: Record<string, FormIntent<unknown>>): number {
  return Math.max(...Object.values(intents).map(({ operation }) => operation.maxBytes));
}

async function redirectAfter({ context }: ActionFunctionArgs, to: string, toast?: Toast | string) {
  const headers = await outgoingHeaders(context);
  if (!toast) return redirect(to, { status: 303, headers });
  const message: Toast = typeof toast === "string" ? { type: "success", message: toast } : toast;
  return toasts(context).redirectWithToast(to, asFlash(message), { status: 303, headers });
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
