import { useNavigation } from "@remix-run/react";
import { AnalyticsSkeleton } from "~/features/analytics/AnalyticsSkeleton";
import { Dashboard } from "~/features/dashboard/Dashboard";
import { LOADING } from "~/features/dashboard/figures";
import { useIsSlow } from "~/ui/useIsSlow";
import { type SectionPath, sectionAt } from "./sections";

/** Milliseconds that a section may take without a skeleton in its place. */
const PATIENCE = 200;

/**
 * Which section is on its way from another one for so long that its skeleton should stand in for it.
 *
 * @param from the path of the page that is shown
 */
export function useSlowSection(from: string): SectionPath | null {
  const { state, location } = useNavigation();
  const to = state === "loading" ? sectionAt(location.pathname)?.path : undefined;
  return useIsSlow(to && to !== sectionAt(from)?.path ? to : null, PATIENCE);
}

/** What stands in for a section on the way to it: of its size where it is known, a spinner elsewhere. */
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
