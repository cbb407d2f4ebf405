import { readPushKey, subscribe } from "~/features/push/browser";

/**
 * Asks for the permission and lets the shop notify this browser when a unit is back. Call it from a click.
 *
 * @param choice in words; "" for a product without options
 * @returns false when the reader has not allowed it
 * @throws Error when the browser, its push service or the shop fails
 */
export async function notifyOfRestock(id: string, choice: string): Promise<boolean> {
  const subscription = await subscribe("visitor", await readPushKey());
  if (!subscription) return false;
  const { endpoint, keys } = subscription.toJSON();
  const response = await fetch(`/api/product/${encodeURIComponent(id)}/restock`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint, keys, color: choice }),
  });
  if (!response.ok) throw new Error(`Notifications: ${response.status}`);
  return true;
}
