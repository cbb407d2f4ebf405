import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import {
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
} from "@remix-run/react";
import { CartContents } from "~/features/cart/CartContents";
import { itemsIn } from "~/features/cart/CartDrawer";
import { CART_FORMS } from "~/features/cart/forms.server";
import { cartOf } from "~/features/cart/operations.server";
import { useOptimisticCart } from "~/features/cart/optimistic";
import { type CartResponse, submitToCart } from "~/features/cart/sending";
import { formAction } from "~/http/form-action.server";
import { forPage } from "~/http/page.server";
import { StatusRegion } from "~/ui/StatusRegion";
import { pageMeta } from "~/ui/seo";
import { showToast } from "~/ui/Toasts";

export const meta: MetaFunction<typeof loader> = ({ matches }) =>
  pageMeta({ title: "Cart", path: "/cart", hidden: true }, matches);

export async function loader({ context }: LoaderFunctionArgs) {
  return json({ cart: await forPage(cartOf(context)) });
}

export async function action(args: ActionFunctionArgs) {
  const answer = await formAction(args, CART_FORMS);
  // What is broken and not refused shows the error page; a script tries once more.
  if (answer.status >= 500) throw answer;
  return answer;
}

export async function clientAction({ request }: ClientActionFunctionArgs) {
  const answer = await submitToCart(await request.text());
  say(answer);
  return { failure: answer.failure, unsent: answer.unsent ?? false };
}

export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate && !actionResult?.unsent;
}

function say({ toast, failure }: CartResponse) {
  if (failure) return showToast("error", failure);
  if (typeof toast === "string") return showToast("success", toast);
  if (toast) showToast(toast.type === "info" ? "blank" : toast.type, toast.message);
}

export default function Cart() {
  const cart = useOptimisticCart(useLoaderData<typeof loader>().cart);
  const answer = useActionData<{ failure: string | null }>();
  return (
    <div className="wrap cart-page">
      <StatusRegion message={answer?.failure} answer={answer} />
      <div className="list-head">
        <div>
          <h1 tabIndex={-1}>Cart</h1>
          <p className="result-count">{itemsIn(cart)}</p>
        </div>
      </div>
      <CartContents cart={cart} heading="h2" />
    </div>
  );
}
