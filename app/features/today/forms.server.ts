import { z } from "zod";
import { MAX_STOCK } from "~/domain/stock-levels";
import { setStock } from "~/features/inventory/operations/movements.server";
import { holdForms, QUOTE_FORMS } from "~/features/sales/holds-and-quotes/forms.server";
import { requestId } from "~/features/sales/schema";
import { firstRunForms } from "~/features/settings/first-run/forms.server";
import { flag, id, wholeNumber } from "~/http/fields";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { todayFirstCookie } from "~/session/cookies.server";
import { TODAY_PATH } from "~/session/first-page";

/** Adds pieces to a unit's stock, once for each `change`. @throws AppError as `setStock` */
const addStock = operation({
  access: "staff",
  input: z.object({ unitId: id, pieces: wholeNumber(1, MAX_STOCK), change: requestId }),
  run: async ({ input: { unitId, pieces, change }, ...context }) =>
    setStock.execute(context, { id: unitId, stock: `+${pieces}`, change }),
});

/** Opens the back office with Today, or with the dashboard again, for this person on this device. */
const chooseFirstPage = operation({
  access: "staff",
  input: z.object({ isFirst: flag.default(false) }),
  async run({ input: { isFirst }, user, cookies, headers, secure }) {
    const others = cookies.todayFirst.filter((userId) => userId !== user.id);
    const ids = isFirst ? [...others, user.id] : others;
    headers.append("Set-Cookie", await todayFirstCookie(ids, secure));
    return { isFirst };
  },
});

/** Acts on what waits. @param url of the form */
export const todayForms = (
  context: Pick<RequestContext, "db" | "env" | "now">,
  url: string,
): FormIntents => ({
  ...holdForms(context, url),
  ...QUOTE_FORMS,
  ...firstRunForms(TODAY_PATH),
  addStock: intent(addStock, {
    done: ({ name, stock }) => ({
      to: TODAY_PATH,
      toast: `${name}: stock set to ${stock.toLocaleString("en")}`,
    }),
    failed: ({ details, message }) => `Stock not saved: ${details?.[0]?.message ?? message}`,
  }),
  firstPage: intent(chooseFirstPage, {
    done: ({ isFirst }) => ({
      to: TODAY_PATH,
      toast: isFirst ? "The back office opens with Today" : "The back office opens with the dashboard",
    }),
  }),
});
