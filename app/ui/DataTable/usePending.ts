import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { withoutDialog } from "./list-params";

/** Milliseconds that a page may take before its place is kept by skeletons: a quicker one would only flicker. */
const PATIENCE = 120;

/**
 * Whether other rows are on their way: a search, a filter, another order or page. A dialog over the same rows is none.
 *
 * @returns `isPending` at once, `isSlow` when it takes a moment
 */
export function usePending(path: string): { isPending: boolean; isSlow: boolean } {
  const here = useLocation();
  const { state, location } = useNavigation();
  const isPending =
    state === "loading" && location.pathname === path && rowsAt(location.search) !== rowsAt(here.search);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isPending]);
  return { isPending, isSlow: isPending && isSlow };
}

function rowsAt(search: string): string {
  const { searchParams } = new URL(withoutDialog(`/${search}`), "http://local");
  searchParams.sort();
  return searchParams.toString();
}
