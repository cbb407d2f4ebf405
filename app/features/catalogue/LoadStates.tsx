import { useNavigation } from "@remix-run/react";
import { type ComponentType, useEffect, useState } from "react";
import { useDelayedPending } from "~/ui/delayed-pending";
import type { PageSkeletonProps } from "./PageSkeleton";

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
