import { Link, useLocation, useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { SkeletonCards, useDelayedPending } from "~/ui/Skeleton";

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

const PAGES: Record<string, { heading: string; cards: number; grid: string }> = {
  "/": { heading: "Featured Products", cards: 8, grid: "product-grid product-grid-even" },
  "/shop": { heading: "Shop", cards: 12, grid: "product-grid" },
};
const isProductPage = (path: string) => path.startsWith("/products/");
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
  const to = path in PAGES || isProductPage(path) ? path : null;
  return useDelayedPending(to === from ? null : to, SKELETON_DELAY);
}

export function PageSkeleton({ path }: { path: string }) {
  const page = PAGES[path];
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  if (!page)
    return (
      <div className="wrap page-loading" role="status">
        <span className="spinner" aria-hidden="true" />
        <span className="visually-hidden">Loading</span>
      </div>
    );
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
