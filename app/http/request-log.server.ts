import { AsyncLocalStorage } from "node:async_hooks";

/** Data of the running request that its log lines share. */
export interface RequestLog {
  /** Reference that the error page, the API's error and the log name. */
  readonly reference: string;
  /** Description of the last logged error. */
  error: string;
  /** Errors that were logged. */
  readonly logged: Set<unknown>;
}

/** Shared by the Worker and the server build of Remix, which contain one copy of this module each. */
const shared = globalThis as { emporiaRequestLog?: AsyncLocalStorage<RequestLog> };
shared.emporiaRequestLog ??= new AsyncLocalStorage<RequestLog>();
const running = shared.emporiaRequestLog;

/** Runs a request; its errors are logged under one reference. */
export function withRequestLog<T>(handle: (log: RequestLog) => Promise<T>): Promise<T> {
  const log = newLog();
  return running.run(log, () => handle(log));
}

/** Creates a log whose reference is generated when something needs it: most requests have no error. */
function newLog(): RequestLog {
  let reference: string | undefined;
  return {
    get reference() {
      reference ??= newReference();
      return reference;
    },
    error: "",
    logged: new Set(),
  };
}

/** Returns the reference of the running request. */
export function errorReference(): string {
  return running.getStore()?.reference ?? newReference();
}

/** Generates a reference that can be read aloud: `b7-4f21-90c`. */
function newReference(): string {
  const digits = crypto.randomUUID().replaceAll("-", "");
  return `${digits.slice(0, 2)}-${digits.slice(2, 6)}-${digits.slice(6, 9)}`;
}

const MAX_FRAMES = 12;
const MAX_MESSAGE = 200;

/**
 * Logs an error as one JSON line without personal data; the same one of several parts of a page once.
 *
 * @returns the reference of the running request
 */
export function logError(error: unknown, level: "error" | "warn" = "error"): string {
  const reference = errorReference();
  const description = describeError(error);
  const log = running.getStore();
  if (log) {
    if (log.logged.has(error)) return reference;
    log.logged.add(error);
    log.error = description;
  }
  const frames =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const stack = frames.slice(0, MAX_FRAMES).map((line) => line.trim());
  const line = JSON.stringify({ level, reference, error: description, stack });
  if (level === "error") console.error(line);
  else console.warn(line);
  return reference;
}

/**
 * Describes an error in one line. Parameters of queries, quoted texts and e-mail addresses are left out: they may be
 * personal.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "Unknown error";
  if (error.cause instanceof Error) return describeError(error.cause);
  const [line = ""] = error.message.split("\n");
  const message = line.replaceAll(/"[^"]*"|'[^']*'/g, "…").replaceAll(/[^\s<>@]+@[^\s<>@]+/g, "…@…");
  return `${error.name}: ${message}`.slice(0, MAX_MESSAGE);
}
