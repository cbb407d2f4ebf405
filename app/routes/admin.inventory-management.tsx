import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { readInventory, stockForms } from "~/features/inventory/operations/stock.server";
import { InventorySheet, StockScreen } from "~/features/inventory/StockScreen";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readInventory));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, stockForms(args.request.url));
}

export const clientAction = retryingAction((_, why) => `Not saved. ${why}`);

export default function Inventory() {
  const page = useLoaderData<typeof loader>();
  return page.sheetUrl === null ? <StockScreen page={page} /> : <InventorySheet url={page.sheetUrl} />;
}
