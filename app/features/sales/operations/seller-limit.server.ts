import { dollars } from "~/domain/money";
import { fieldError } from "~/http/errors";
import type { StaffContext } from "~/http/operation.server";
import { isManaging } from "~/session/caller.server";

/**
 * Refuses that a seller pays back more than the settings allow for one sale or quote.
 *
 * @param cents paid back in all, with what was credited before
 * @param field of the form that shows the reason
 * @throws AppError forbidden
 */
export function refuseAboveSellerLimit(
  { user, settings }: Pick<StaffContext, "user" | "settings">,
  cents: number,
  field: string,
): void {
  const limit = settings.sales.sellerCreditLimit * 100;
  if (isManaging(user) || cents <= limit) return;
  const message = `Sellers may pay back up to ${dollars(limit)} of one sale. Ask a manager.`;
  throw fieldError("forbidden", field, message);
}
