import { useEffect, useState } from "react";
import { categoryName } from "~/domain/category-name";
import { Icon } from "~/ui/Icon";
import { SkeletonCards } from "~/ui/Skeleton";

export interface PageSkeletonProps {
  url: string;
  categories: { category: string; products: number }[];
}

/** Placeholder of a page in its layout, so that nothing moves when the page arrives. */
export function PageSkeleton({ url, categories }: PageSkeletonProps) {
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  const [path = "", query] = url.split("?");
  return (
    <div className="wrap page-skeleton" aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading
      </span>
      {path === "/shop" ? (
        <ShopSkeleton category={new URLSearchParams(query).get("category")} categories={categories} />
      ) : path === "/" ? (
        <HomeSkeleton />
      ) : (
        <ProductSkeleton path={path} />
      )}
    </div>
  );
}

function HomeSkeleton() {
  return (
    <>
      <div className="hero">
        <div className="skeleton skeleton-hero" />
        <div className="hero-picture">
          <div className="picture skeleton" />
        </div>
      </div>
      <div className="skeleton skeleton-benefits" />
    </>
  );
}

/** Cards in the shop's skeleton (docs/product.md, 5.1). */
const CARDS = 12;

interface ShopSkeletonProps extends Pick<PageSkeletonProps, "categories"> {
  category: string | null;
}

function ShopSkeleton({ category, categories }: ShopSkeletonProps) {
  return (
    <>
      <div className="list-head">
        <div>
          <h1>{category ? categoryName(category) : "Shop"}</h1>
          <p className="list-text">
            <span className="skeleton skeleton-line">&nbsp;</span>
          </p>
        </div>
        <div className="list-search input" />
      </div>
      <div className="list-body">
        <FilterSkeleton category={category} categories={categories} />
        <div>
          <div className="list-strip">
            <span className="skeleton skeleton-line">&nbsp;</span>
            <span className="sort">
              <span className="select skeleton-sort" />
            </span>
          </div>
          <div className="product-grid">
            <SkeletonCards count={CARDS} />
          </div>
        </div>
      </div>
    </>
  );
}

function FilterSkeleton({ category, categories }: ShopSkeletonProps) {
  const all = categories.reduce((sum, { products }) => sum + products, 0);
  return (
    <div className="filters">
      <h2>Category</h2>
      <div className="category-links">
        {[{ category: "", products: all }, ...categories].map((each) => (
          <span key={each.category} aria-current={(category ?? "") === each.category ? "true" : undefined}>
            {each.category ? categoryName(each.category) : "All"} <span>{each.products}</span>
          </span>
        ))}
      </div>
      <div className="skeleton skeleton-prices" />
      <div className="filter-buttons">
        <span className="filter-button only-narrow">
          Price <Icon name="chevron-down" />
        </span>
        <span className="filter-button">In stock</span>
      </div>
    </div>
  );
}

/** Reads a product's name from its card on the page that is being left; null when it was not linked by one. */
function linkedName(path: string): string | null {
  const link = document.querySelector(`.product-card :is(h2, h3) a[href="${CSS.escape(path)}"]`);
  return link?.textContent ?? null;
}

/** A product with colours, as most have. */
function ProductSkeleton({ path }: { path: string }) {
  const [name] = useState(() => linkedName(path));
  return (
    <>
      <p className="breadcrumbs">
        <span className="skeleton skeleton-line">&nbsp;</span>
      </p>
      <div className="product">
        <div className="gallery skeleton-gallery">
          <div className="picture skeleton" />
          <div className="gallery-reel">
            <div className="picture skeleton" />
          </div>
        </div>
        <div className="purchase">
          <div className="skeleton-head">
            <span className="skeleton skeleton-line">&nbsp;</span>
          </div>
          {name ? <h1>{name}</h1> : <h1 className="skeleton skeleton-title">&nbsp;</h1>}
          <div className="skeleton skeleton-price" />
          <div className="skeleton skeleton-options" />
          <div className="skeleton skeleton-buttons" />
          <div className="skeleton skeleton-text" />
        </div>
      </div>
    </>
  );
}
