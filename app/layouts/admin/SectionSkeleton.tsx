import { useNavigation } from "@remix-run/react";
import { AnalyticsSkeleton } from "~/features/analytics/AnalyticsSkeleton";
import { Dashboard } from "~/features/dashboard/Dashboard";
import { LOADING } from "~/features/dashboard/figures";
import { usePendingTooLong } from "~/ui/usePendingTooLong";
import { type SectionPath, sectionAt } from "./sections";

/** Loading time after which a skeleton appears, ms. */
const SKELETON_DELAY = 200;

/**
 * Returns the path of a section that has been loading long enough for a skeleton.
 *
 * @param from path of the displayed page
 */
export function useSlowSection(from: string): SectionPath | null {
  const { state, location } = useNavigation();
  const to = state === "loading" ? sectionAt(location.pathname)?.path : undefined;
  return usePendingTooLong(to && to !== sectionAt(from)?.path ? to : null, SKELETON_DELAY);
}

/** Skeleton of a loading section, or a spinner. */
export function SectionSkeleton({ path, shopName }: { path: SectionPath; shopName: string }) {
  return (
    <div className="content-soon" aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading...
      </p>
      {path === "/admin" && <Dashboard page={LOADING} shopName={shopName} />}
      {path === "/admin/graphs" && <AnalyticsSkeleton />}
      {path !== "/admin" && path !== "/admin/graphs" && (
        <div className="section-loading">
          <span className="spinner" aria-hidden="true" />
        </div>
      )}
    </div>
  );
}
