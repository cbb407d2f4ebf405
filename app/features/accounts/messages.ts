interface Failure {
  code: string;
  message: string;
  details?: unknown;
}

/**
 * Builds the message above a failed form from the server's error. It is null for invalid fields, which have messages
 * of their own.
 *
 * @param prefix such as "Login failed! "
 * @param fallback in place of the message of an internal error
 */
export function failureMessage(prefix: string, fallback?: string) {
  return ({ code, message, details }: Failure): string | null => {
    if (code === "invalid" && details) return null;
    return prefix + (code === "internal" && fallback ? fallback : message);
  };
}
