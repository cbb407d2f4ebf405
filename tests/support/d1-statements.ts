const QUOTED_OR_COMMENT = /'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//y;

/**
 * Splits SQL as D1's API splits what `wrangler d1 migrations apply --remote` sends: it knows only BEGIN in capitals between
 * spaces or newlines, and takes the first END for the end of the trigger. (Reported for cloudflare/workers-sdk; the rule is
 * not documented.)
 */
export function splitLikeApi(sql: string): string[] {
  const statements = [""];
  let isInTrigger = false;
  for (let at = 0; at < sql.length; ) {
    QUOTED_OR_COMMENT.lastIndex = at;
    const [part = sql[at] ?? ""] = QUOTED_OR_COMMENT.exec(sql) ?? [];
    at += part.length;
    const last = statements.length - 1;
    if (part === ";" && !isInTrigger) statements.push("");
    else statements[last] += part;
    if (/\sBEGIN[ \n]$/.test(statements[last] ?? "")) isInTrigger = true;
    else if (/\sEND$/i.test(statements[last] ?? "") && /\W/.test(sql[at] ?? ";")) isInTrigger = false;
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}
