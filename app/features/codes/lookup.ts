import type { z } from "zod";
import type { FoundUnit } from "~/features/catalogue/answers";

/** Unit that a code finds; `image` is a stored entry. */
export type CodeHit = z.output<typeof FoundUnit>;

/** Asks the shop for the units that have a code. @returns null when it fails, also for what can be no code */
export async function lookUpCode(code: string): Promise<CodeHit[] | null> {
  const answer = await fetch(`/api/product/code?${new URLSearchParams({ code, raw: "1" })}`).catch(
    () => null,
  );
  return answer?.ok ? ((await answer.json()) as CodeHit[]) : null;
}

/** Names a hit: `Phone case, Moss`. */
export const hitName = ({ name, choice }: Pick<CodeHit, "name" | "choice">): string =>
  choice ? `${name}, ${choice}` : name;

/** Tells a code from words: no spaces, some digits, and the length that codes have. */
export const looksLikeCode = (text: string): boolean => /^(?=.*\d)[^\s]{6,}$/.test(text.trim());
