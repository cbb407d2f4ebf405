import { useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { SkeletonCards, usePendingTooLong } from "~/ui/Skeleton";

/** Skeletons of the pages with product grids. */
const PAGES: Record<string, { heading: string; cards: number; grid: string }> = {
  "/": { heading: "Featured Products", cards: 8, grid: "grid grid-even" },
  "/shop": { heading: "Shop", cards: 12, grid: "grid" },
};
const isProduct = (path: string) => path.startsWith("/products/");
/** Loading time after which a skeleton appears, ms. */
const SKELETON_DELAY = 250;

/**
 * Returns the path of a page that has been loading long enough for a skeleton.
 *
 * @param from path of the displayed page
 * @returns "/", "/shop" or the path of a product page; null for none
 */
export function useSlowNavigation(from: string): string | null {
  const { state, location } = useNavigation();
  const path = state === "loading" ? location.pathname : "";
  const to = path in PAGES || isProduct(path) ? path : null;
  return usePendingTooLong(to === from ? null : to, SKELETON_DELAY);
}

/** Skeleton of the page at `path`. */
export function PageSkeleton({ path }: { path: string }) {
  const page = PAGES[path];
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  if (!page) return <ProductSpinner />;
  return (
    <div className="wrap" aria-busy="true">
      <div className="list-head">
        <h1>{page.heading}</h1>
      </div>
      <div className={path === "/shop" ? "list-body" : undefined}>
        {path === "/shop" && <div className="category-rail" />}
        <div className={page.grid}>
          <SkeletonCards count={page.cards} />
        </div>
      </div>
    </div>
  );
}

function ProductSpinner() {
  return (
    <div className="wrap page-loading" role="status">
      <span className="spinner" aria-hidden="true" />
      <span className="visually-hidden">Loading</span>
    </div>
  );
}
