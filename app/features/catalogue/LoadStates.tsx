import { Link, useLocation, useNavigation } from "@remix-run/react";
import { type ComponentType, useEffect, useState } from "react";
import { useDelayedPending } from "~/ui/Skeleton";
import type { PageSkeletonProps } from "./PageSkeleton";

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

/** Placeholder of a page that has been loading for a while; it is loaded as the first page starts to. */
export function useSlowPage(
  from: string,
): { Skeleton: ComponentType<PageSkeletonProps>; url: string } | null {
  const { state, location } = useNavigation();
  const path = state === "loading" ? location.pathname : "";
  const hasSkeleton = path !== from && (path === "/" || path === "/shop" || isProductPage(path));
  const url = useDelayedPending(hasSkeleton ? path + location?.search : null, SKELETON_DELAY);
  const [Skeleton, setSkeleton] = useState<ComponentType<PageSkeletonProps> | null>(null);
  useEffect(() => {
    if (!hasSkeleton) return;
    import("./PageSkeleton").then(
      (module) => setSkeleton(() => module.PageSkeleton),
      () => undefined,
    );
  }, [hasSkeleton]);
  return Skeleton && url ? { Skeleton, url } : null;
}
