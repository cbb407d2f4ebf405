import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { productForms } from "~/features/product-admin/forms.server";
import { ProductsScreen } from "~/features/product-admin/ProductsScreen";
import { readProductsScreen } from "~/features/product-admin/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readProductsScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, productForms(args.request.url));
}

export const clientAction = retryingAction(
  (intent, reason) => `Failed to ${intent === "delete" ? "delete" : "save"} product: ${reason}`,
);

export default function Products() {
  return <ProductsScreen data={useLoaderData<typeof loader>()} />;
}
