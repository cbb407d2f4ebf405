import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { productForms } from "~/features/product-admin/forms.server";
import { ProductsScreen } from "~/features/product-admin/ProductsScreen";
import { productsScreen } from "~/features/product-admin/page.server";
import { formAction } from "~/http/form-action.server";
import { requireStaff } from "~/session/require-staff.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await productsScreen(context, request.url));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, productForms(args.request.url));
}

export const clientAction = retryingAction(
  (act, why) => `Failed to ${act === "delete" ? "delete" : "save"} product: ${why}`,
);

export default function Products() {
  return <ProductsScreen data={useLoaderData<typeof loader>()} />;
}
