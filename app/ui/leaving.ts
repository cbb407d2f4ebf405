import { useLocation, useNavigation } from "@remix-run/react";

/** Tells whether another page is on its way, which a search that is still waiting must not replace. */
export function useIsLeaving(): boolean {
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  return next !== undefined && next.pathname !== pathname;
}
