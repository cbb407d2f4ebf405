import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import {
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
} from "@remix-run/react";
import { useEffect } from "react";
import { CartContents } from "~/features/cart/CartContents";
import { itemCountLabel } from "~/features/cart/CartDrawer";
import { CartFoot, CartLines } from "~/features/cart/CartLines";
import { CART_FORMS } from "~/features/cart/forms.server";
import { readCart } from "~/features/cart/operations.server";
import { applyPending, CART_PATH, useOptimisticCart } from "~/features/cart/optimistic";
import { RemovedLine, reportRemoval } from "~/features/cart/RemovedLine";
import { type CartResponse, showResult, submitToCart } from "~/features/cart/submit";
import type { CartView } from "~/features/cart/view";
import onDemandCss from "~/features/catalogue/on-demand.css?url";
import productCss from "~/features/catalogue/product.css?url";
import { formAction } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { useHydrated } from "~/ui/hooks";
import { forgetForm, KEPT_FORMS, keptForms } from "~/ui/kept-forms";
import { StatusRegion } from "~/ui/StatusRegion";
import { pageMeta, useNonce } from "~/ui/site";

export const meta: MetaFunction<typeof loader> = ({ matches }) =>
  pageMeta({ title: "Cart", hidden: true }, matches);

export const links: LinksFunction = () =>
  [productCss, onDemandCss].map((href) => ({ rel: "stylesheet", href }));

export async function loader({ context }: LoaderFunctionArgs) {
  return json({ cart: await pageResult(readCart(context)) });
}

export async function action(args: ActionFunctionArgs) {
  const response = await formAction(args, CART_FORMS);
  // Server errors show the error page; a fetched form is retried instead.
  if (response.status >= 500) throw response;
  return response;
}

export async function clientAction({ request }: ClientActionFunctionArgs) {
  const form = await request.text();
  const response = await submitToCart(form);
  forgetForm(String(new URLSearchParams(form).get("request")));
  notify(form, response);
  return { failure: response.failure, isUnsent: response.isUnsent ?? false };
}

export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate && !actionResult?.isUnsent;
}

/** Shows a response; what was removed stands in the cart, where it can be undone. */
function notify(form: string, { toast, failure }: CartResponse) {
  const removal = typeof toast === "object" && toast.undo ? toast : null;
  if (!failure) reportRemoval(removal);
  showResult(form, { failure, toast: removal ? undefined : toast });
}

export default function Cart() {
  const stored = useOptimisticCart(useLoaderData<typeof loader>().cart);
  const cart = useKeptAdditions(stored);
  const result = useActionData<{ failure: string | null }>();
  return (
    <div className="wrap cart-page">
      {stored.itemCount === 0 && <HiddenWhileAdding />}
      <StatusRegion message={result?.failure} answer={result} />
      <div className="list-head">
        <div>
          <h1 tabIndex={-1}>Cart</h1>
          <p className="result-count">{itemCountLabel(cart)}</p>
          {cart.gone && <p>{cart.gone}</p>}
        </div>
      </div>
      <CartContents cart={cart} heading="h2" removed={<RemovedLine />}>
        <CartLines lines={cart.lines} heading="h2" />
        <CartFoot cart={cart} />
      </CartContents>
    </div>
  );
}

/** Applies what the previous page was left with to an empty cart, from the first render of the browser on. */
function useKeptAdditions(cart: CartView): CartView {
  const isKnown = useHydrated() && cart.itemCount === 0;
  const kept = isKnown ? keptForms().filter(({ action }) => action === CART_PATH) : [];
  return kept.map(({ body }) => new URLSearchParams(body)).reduce(applyPending, cart);
}

/** Attribute of the document whose empty cart does not show, until scripts know what is on its way. */
const ADDING = "data-adding";
const HIDE = `try {
  if (localStorage["${KEPT_FORMS}"].includes('"action":"${CART_PATH}"')) document.documentElement.setAttribute("${ADDING}", "");
} catch {}`;

/** Hides the empty cart of a page that was asked for before an addition was answered (on-demand.css). */
function HiddenWhileAdding() {
  useEffect(() => {
    document.documentElement.removeAttribute(ADDING);
  }, []);
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a text of this file
    <script nonce={useNonce()} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: HIDE }} />
  );
}
