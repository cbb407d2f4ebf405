/** What can go wrong, by name; ERROR_STATUS says which HTTP status each is (contract: Every call). */
export type ErrorCode = keyof typeof ERROR_STATUS;

const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  /** A sign-in with a wrong pair: 401 too, but its page stays and says so. */
  wrongCredentials: 401,
  forbidden: 403,
  /** The right password of an account that was switched off. */
  deactivated: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  tooLarge: 413,
  unsupportedType: 415,
  rateLimited: 429,
  internal: 500,
  notImplemented: 501,
  unavailable: 503,
} as const;

/** One problem with one field; `path` is the field's name, "a.b" for a nested one, "" for the whole. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** A refusal that its reader may see. Anything else that is thrown becomes a bare 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  /** Extra response headers, such as Retry-After. */
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** What is said above a form whose problems stand beside its fields. */
export const CHECK_FIELDS = "Please check the fields below.";

/**
 * The error for input that breaks its rules: every problem at once (contract: Every call).
 *
 * @param details field problems, at least one
 */
export function validationError(details: ErrorDetail[]): AppError {
  const list = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(", ");
  return new AppError("invalid", `Validation error: ${list}`, { details });
}

/**
 * An error of one field that only the server can see (an address that is taken, a wrong password).
 *
 * @param code decides the status
 * @param path the field's name
 * @param message what its reader sees beside the field
 */
export function fieldError(code: ErrorCode, path: string, message: string): AppError {
  return new AppError(code, message, { details: [{ path, message }] });
}
