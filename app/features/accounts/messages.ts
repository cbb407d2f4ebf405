export type { FormFailure } from "~/ui/useCheckedForm";

interface Refusal {
  code: string;
  message: string;
  details?: unknown;
}

/**
 * What a refusal says above a form: the server's own words; null where its fields say what is invalid.
 *
 * @param lead put in front, such as "Login failed! "
 * @param fallback said when the server has nothing to say: something broke
 */
export function failureMessage(lead: string, fallback?: string) {
  return ({ code, message, details }: Refusal): string | null => {
    if (code === "invalid" && details) return null;
    return lead + (code === "internal" && fallback ? fallback : message);
  };
}
