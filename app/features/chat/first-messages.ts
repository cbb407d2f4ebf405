import { dollars } from "~/domain/money";
import { itemText } from "~/features/catalogue/options";
import { MAX_MESSAGE } from "./limits";
import type { ChatCartLine } from "./rooms";

/** Lists the items with quantity and price, and the total; items that exceed the length of a message are left out. */
export function cartMessage(lines: ChatCartLine[], totalCents: number): string {
  const items = lines.map(
    (line) => `- ${itemText(line.name, line)} × ${line.quantity}, ${dollars(line.priceCents)} each`,
  );
  return listMessage("I'm interested in buying these items:", items, [`Total: ${dollars(totalCents)}`]);
}

/** Joins the lines of a message; items that exceed its length are left out. */
export function listMessage(intro: string, items: string[], end: string[] = []): string {
  const fitting = [...items];
  while (length([intro, ...fitting, "- …", ...end]) > MAX_MESSAGE && fitting.length > 0) fitting.pop();
  const ellipsis = fitting.length < items.length ? ["- …"] : [];
  return [intro, ...fitting, ...ellipsis, ...end].join("\n");
}

const length = (parts: string[]) => [...parts.join("\n")].length;
/** Shortens a text to the length of a message. */
export const truncate = (text: string) => [...text].slice(0, MAX_MESSAGE).join("");
