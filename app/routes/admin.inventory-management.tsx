import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { STOCK_FORMS } from "~/features/catalogue/stock/forms.server";
import { InventorySheet } from "~/features/catalogue/stock/InventorySheet";
import { inventoryPage } from "~/features/catalogue/stock/page.server";
import { StockScreen } from "~/features/catalogue/stock/StockScreen";
import { formAction } from "~/http/form-action.server";
import { requireStaff } from "~/session/require-staff.server";
import { steadyAction } from "~/ui/steady-action";

export { shouldRevalidate } from "~/ui/steady-action";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await inventoryPage(context));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, STOCK_FORMS);
}

export const clientAction = steadyAction((_, why) => `Not saved. ${why}`);

export default function Inventory() {
  const page = useLoaderData<typeof loader>();
  return page.sheet === null ? <StockScreen page={page} /> : <InventorySheet address={page.sheet} />;
}
