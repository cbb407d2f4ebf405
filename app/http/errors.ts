/** Error codes; ERROR_STATUS maps each to its HTTP status. */
export type ErrorCode = keyof typeof ERROR_STATUS;

const ERROR_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  /** Wrong e-mail or password: 401 as well, but without a redirect to /login. */
  wrongCredentials: 401,
  forbidden: 403,
  /** Correct password of a deactivated account. */
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

/** Problem of one field; `path` is its name, "a.b" for a nested field, "" for the whole input. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Error whose message may be shown to the user. Any other thrown value becomes a bare 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  /** Extra response headers, such as Retry-After. */
  readonly headers: Record<string, string>;
  /** The API sends the details of a conflict as well. */
  readonly isPublic: boolean;
  /** Values that replace what was sent when the form is shown again, by field. */
  readonly fieldValues: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    options: Partial<Pick<AppError, "details" | "headers" | "fieldValues" | "isPublic">> = {},
  ) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.isPublic = options.isPublic ?? false;
    this.fieldValues = options.fieldValues ?? {};
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Message above a form whose errors stand beside its fields. */
export const CHECK_FIELDS = "Please check the fields below.";

/** Creates the error for invalid input, with every problem at once. */
export function validationError(details: ErrorDetail[]): AppError {
  const list = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(", ");
  return new AppError("invalid", `Validation error: ${list}`, { details });
}

/** Creates the error of one field that only the server can check (an e-mail address in use, a wrong password). */
export function fieldError(code: ErrorCode, path: string, message: string): AppError {
  return new AppError(code, message, { details: [{ path, message }] });
}

/** Creates the error of a write while the database is being upgraded or restored. */
export const beingUpdated = () =>
  new AppError("unavailable", "The shop is being updated. Please try again in a few minutes.", {
    headers: { "Retry-After": "60" },
  });

/** Message of an unexpected error, for scripts. */
export const INTERNAL_ERROR = "Internal Server Error";

/** Gives an unexpected error, whose message is for scripts, one for people. */
export function readableError(error: AppError): AppError {
  return error.code === "internal" ? new AppError("internal", "That didn't work. Please try again.") : error;
}
