import type {
  ActionFunctionArgs,
  LinksFunction,
  LoaderFunctionArgs,
  MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import type { Category } from "~/domain/categories";
import { businessOf } from "~/domain/enums";
import { cachedLoader } from "~/features/catalogue/browser-cache";
import { productPage } from "~/features/catalogue/operations/products.server";
import productCss from "~/features/catalogue/product.css?url";
import { productMeta } from "~/features/catalogue/seo.server";
import { rememberViewed } from "~/features/favourites/recently-viewed";
import { ProductPage } from "~/features/product-page/ProductPage";
import { PRODUCT_FORMS } from "~/features/restock/forms.server";
import { productWaits } from "~/features/restock/operations.server";
import { formAction } from "~/http/form-action.server";
import { type PageHandle, pageData, pageResult } from "~/http/page.server";
import { showHours, shownSettings } from "~/http/shop-settings.server";
import { shownTaxes, taxNote } from "~/http/tax-note.server";
import { LazyErrorPage } from "~/ui/LazyErrorPage";
import { type PageMeta, pageMeta } from "~/ui/site";

export const handle: PageHandle = { publicPage: { parameters: [], hasOptions: true } };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: productCss }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const id = params.id ?? "";
  const [page, settings, taxes, waits] = await Promise.all([
    pageResult(productPage(context, id, new URL(request.url).searchParams)),
    shownSettings(context),
    shownTaxes(context),
    productWaits(context, id),
  ]);
  const { product, related } = page;
  // The page does not use these fields, so they are not sent.
  const { descriptionHtml: _, colors: _colors, hasEngraving: _hasEngraving, ...visible } = product;
  const tax = taxNote(taxes, [businessOf(product.category)], settings.businesses);
  const terms = [showHours(context, settings), tax].filter(Boolean).join(". ");
  return pageData(request, { product: visible, related, terms, waits, meta: productMeta(page, settings) });
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, PRODUCT_FORMS);
}

export { cachedLoader as clientLoader };

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  pageMeta(data ? (data.meta as PageMeta) : { title: "Product not found", hidden: true }, matches);

export default function Product() {
  const { product, related, terms } = useLoaderData<typeof loader>();
  useEffect(() => rememberViewed(product.id), [product.id]);
  return (
    <div className="wrap">
      <ProductPage
        product={{ ...product, terms, category: product.category as Category }}
        related={related}
      />
    </div>
  );
}

export function ErrorBoundary() {
  return <LazyErrorPage subject="product" />;
}
