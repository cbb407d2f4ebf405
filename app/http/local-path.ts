const BASE = "http://local.invalid";

/**
 * A redirect target that stays in the shop, whatever was asked for: `//e`, `/\e`, `/..//e` and
 * `https://e` are other hosts to a browser (budgets: Safe).
 *
 * @param target what a form or a link asks for
 * @param fallback local path used when it leads elsewhere
 * @returns path with query and fragment, beginning with exactly one slash
 */
export function localPath(target: unknown, fallback: string): string {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target) || /[\\\p{Cc}]/u.test(target))
    return fallback;
  const url = URL.canParse(target, BASE) ? new URL(target, BASE) : null;
  if (!url || url.origin !== BASE || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}
