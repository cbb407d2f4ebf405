import { Link, useLocation, useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { SkeletonCards, useDelayedPending } from "~/ui/Skeleton";
import { categoryName } from "./categories";

interface LoadFailureProps {
  title: string;
  text: string;
  canRetry?: boolean;
}

export function LoadFailure({ title, text, canRetry = false }: LoadFailureProps) {
  const { pathname, search } = useLocation();
  return (
    <div className="wrap">
      <div className="empty-state" role="alert">
        <h1>{title}</h1>
        <p className="soft">{text}</p>
        <div className="empty-state-actions">
          {canRetry && (
            <a className="btn btn-act" href={pathname + search}>
              Try Again
            </a>
          )}
          <Link
            className={canRetry ? "btn btn-line" : "btn btn-act"}
            to={pathname === "/shop" ? "/" : "/shop"}
          >
            {pathname === "/shop" ? "Go Home" : "Browse Shop"}
          </Link>
        </div>
      </div>
    </div>
  );
}

const isProductPage = (path: string) => path.startsWith("/products/");
/** Loading time after which a skeleton appears, ms. */
const SKELETON_DELAY = 250;

/**
 * Returns the URL of a page that has been loading long enough for a skeleton.
 *
 * @param from path of the displayed page
 * @returns URL of the home page, the shop or a product; null for none
 */
export function useSlowNavigation(from: string): string | null {
  const { state, location } = useNavigation();
  const path = state === "loading" ? location.pathname : "";
  const hasSkeleton = path === "/" || path === "/shop" || isProductPage(path);
  return useDelayedPending(hasSkeleton && path !== from ? path + location?.search : null, SKELETON_DELAY);
}

interface PageSkeletonProps {
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
    <div className="wrap" aria-busy="true">
      {path === "/shop" ? (
        <ShopSkeleton category={new URLSearchParams(query).get("category")} categories={categories} />
      ) : path === "/" ? (
        <div className="hero">
          <div className="hero-text skeleton" />
          <div className="hero-picture">
            <div className="picture skeleton" />
          </div>
        </div>
      ) : (
        <ProductSkeleton />
      )}
    </div>
  );
}

function ShopSkeleton({
  category,
  categories,
}: { category: string | null } & Pick<PageSkeletonProps, "categories">) {
  return (
    <>
      <div className="list-head">
        <div>
          <h1>{category ? categoryName(category) : "Shop"}</h1>
          <p className="list-text skeleton">&nbsp;</p>
        </div>
        <div className="list-search input" />
      </div>
      <div className="list-body">
        <div className="filters">
          <h2>Category</h2>
          <div className="category-links">
            {[{ category: "", products: 0 }, ...categories].map((each) => (
              <span key={each.category}>{each.category ? categoryName(each.category) : "All"}</span>
            ))}
          </div>
          <div className="filter-buttons">
            <span className="filter-button">Price</span>
            <span className="filter-button">In stock</span>
          </div>
        </div>
        <div>
          <div className="list-strip" />
          <div className="product-grid">
            <SkeletonCards count={SKELETON_COUNT} />
          </div>
        </div>
      </div>
    </>
  );
}

/** Cards in the shop's skeleton (docs/product.md, 5.1). */
const SKELETON_COUNT = 12;

function ProductSkeleton() {
  return (
    <>
      <p className="breadcrumbs">&nbsp;</p>
      <div className="product">
        <div className="gallery">
          <div className="gallery-reel">
            <div className="picture skeleton" />
          </div>
        </div>
        <div className="purchase" role="status">
          <span className="visually-hidden">Loading</span>
          <div className="skeleton skeleton-name" />
          <div className="skeleton skeleton-meta" />
          <span className="spinner" aria-hidden="true" />
        </div>
      </div>
    </>
  );
}
