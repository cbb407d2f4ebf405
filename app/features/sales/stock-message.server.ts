import type { SoldProduct } from "./sale.queries.server";

const SOON = 20 * 3600;

/** Formats a shortage: `Walnut lamp: 2 left, 1 of them on hold until 18:00`. */
export function stockMessage(
  { name, stock }: Pick<SoldProduct, "name" | "stock">,
  hold: { quantity: number; until: number } | undefined,
  timezone: string,
): string {
  if (!hold) return `${name}: ${stock} left`;
  const quantity = Math.min(hold.quantity, stock);
  return `${name}: ${stock} left, ${quantity} of them on hold until ${holdEnd(hold.until, timezone)}`;
}

function holdEnd(until: number, timezone: string): string {
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const day = until - Date.now() / 1000 < SOON ? {} : ({ day: "numeric", month: "short" } as const);
  return new Intl.DateTimeFormat("en", { ...day, ...clock, timeZone: timezone }).format(until * 1000);
}
