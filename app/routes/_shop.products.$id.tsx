import { json, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, useLoaderData, useRouteError } from "@remix-run/react";
import { useEffect } from "react";
import { cachedLoader } from "~/features/catalogue/browser-cache";
import type { Category } from "~/features/catalogue/categories";
import { LoadFailure } from "~/features/catalogue/LoadStates";
import { productPage } from "~/features/catalogue/operations.server";
import { ProductPage } from "~/features/catalogue/ProductPage";
import productCss from "~/features/catalogue/product.css?url";
import { excerpt, previewPicture, productJsonLd } from "~/features/catalogue/seo.server";
import { rememberViewed } from "~/features/favourites/recently-viewed";
import { type PageHandle, pageResult } from "~/http/page.server";
import { dollars } from "~/ui/money";
import { JsonLd, pageMeta } from "~/ui/site";

export const handle: PageHandle = { publicPage: { parameters: [] } };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: productCss }];

export async function loader({ params, context }: LoaderFunctionArgs) {
  const page = await pageResult(productPage(context, params.id ?? ""));
  const { product, related, summary } = page;
  const jsonLd = productJsonLd(page, context.settings.url);
  const picture = previewPicture(product);
  const { descriptionHtml: _, colors: _colors, hasEngraving: _hasEngraving, ...shown } = product;
  return json({ product: shown, related, description: excerpt(summary), picture, jsonLd });
}

export { cachedLoader as clientLoader };

export const meta: MetaFunction<typeof loader> = ({ data, params, matches }) => {
  const path = `/products/${params.id}`;
  if (!data) return pageMeta({ title: "Product not found", path, hidden: true }, matches);
  const { product, description, picture } = data;
  const image = picture ? { image: picture } : {};
  const { name: title, priceCents } = product;
  // Previews show the description, and few the price by itself.
  const text = `${dollars(priceCents)} · ${description}`;
  return pageMeta({ title, description: text, priceCents, path, ...image }, matches);
};

export default function Product() {
  const { product, related, jsonLd } = useLoaderData<typeof loader>();
  useEffect(() => rememberViewed(product.id), [product.id]);
  return (
    <div className="wrap">
      <ProductPage product={{ ...product, category: product.category as Category }} related={related} />
      <JsonLd json={jsonLd} />
    </div>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <LoadFailure title="Product not found" text="It is no longer for sale, or the address is wrong." />
    );
  }
  return (
    <LoadFailure
      title="Failed to fetch product details."
      text="The product could not be loaded. Please try again."
      canRetry
    />
  );
}
