import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, useLoaderData, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { Breadcrumb } from "~/features/catalogue/Breadcrumb";
import { BuyBox } from "~/features/catalogue/BuyBox";
import { cachedLoader } from "~/features/catalogue/browser-cache";
import { type Category, categoryName } from "~/features/catalogue/categories";
import { Gallery } from "~/features/catalogue/Gallery";
import { LoadFailure } from "~/features/catalogue/LoadFailure";
import { productPage } from "~/features/catalogue/operations.server";
import { ProductJsonLd } from "~/features/catalogue/ProductJsonLd";
import { Related } from "~/features/catalogue/Related";
import { shopAddress } from "~/features/catalogue/shop-address";
import { forPage } from "~/http/page.server";
import { pageMeta } from "~/ui/seo";

export async function loader({ params, context }: LoaderFunctionArgs) {
  return json(await forPage(productPage(context, params.id ?? "")));
}

export { cachedLoader as clientLoader };

export const meta: MetaFunction<typeof loader> = ({ data, params, matches }) => {
  const path = `/products/${params.id}`;
  if (!data) return pageMeta({ title: "Product not found", path, hidden: true }, matches);
  return pageMeta({ title: data.product.name, description: excerpt(data.summary), path }, matches);
};

export default function Product() {
  const { product, summary, related } = useLoaderData<typeof loader>();
  const origin = (useRouteLoaderData("root") as { shop?: { url: string } } | undefined)?.shop?.url ?? "";
  const category = product.category as Category;
  const shown = { ...product, category };
  const trail = [
    { name: "Home", to: "/" },
    { name: "Shop", to: "/shop" },
    { name: categoryName(category), to: shopAddress({ search: "", category, sort: "default" }) },
  ];
  return (
    <div className="wrap">
      <Breadcrumb trail={trail} />
      <div className="product">
        <Gallery key={product.id} images={product.images} name={product.name} />
        <BuyBox product={shown} />
      </div>
      <Related cards={related} category={category} />
      <ProductJsonLd product={shown} summary={summary} origin={origin} />
    </div>
  );
}

/** As much of a description as a search engine shows. */
function excerpt(text: string): string {
  return text.length > 160 ? `${text.slice(0, 157).replace(/\s+\S*$/, "")}…` : text;
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <LoadFailure
        title="Product not found"
        text="It may have sold out for good, or the address may be wrong."
      />
    );
  }
  return (
    <LoadFailure
      title="Failed to fetch product details."
      text="The product is there, the way to it isn't. Please try again."
      again
    />
  );
}
