import { useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { SkeletonCards } from "~/ui/Skeleton";
import { useIsSlow } from "~/ui/useIsSlow";

/** Cards that are drawn while a page is on its way (spec 9). */
const PAGES: Record<string, { heading: string; cards: number; grid: string }> = {
  "/": { heading: "Featured Products", cards: 8, grid: "grid grid-even" },
  "/shop": { heading: "Shop", cards: 12, grid: "grid" },
};
const isProduct = (path: string) => path.startsWith("/products/");
/** Milliseconds that a page may take without a skeleton in its place. */
const PATIENCE = 250;

/**
 * Which page is on its way from another one for so long that its skeleton should stand in for it.
 *
 * @param from the path of the page that is shown
 * @returns "/", "/shop" or a product's path, null for none
 */
export function useSlowNavigation(from: string): string | null {
  const { state, location } = useNavigation();
  const path = state === "loading" ? location.pathname : "";
  const to = path in PAGES || isProduct(path) ? path : null;
  return useIsSlow(to === from ? null : to, PATIENCE);
}

/** What stands in for the page at `path` on the way to it. */
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

/** Spec 2, product detail: a spinner while loading. */
function ProductSpinner() {
  return (
    <div className="wrap page-loading" role="status">
      <span className="spinner" aria-hidden="true" />
      <span className="visually-hidden">Loading</span>
    </div>
  );
}
