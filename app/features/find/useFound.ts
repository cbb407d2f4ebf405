import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { type Found, findUrl } from "./hits";

/** Pause in typing after which is searched, ms. */
const PAUSE = 150;

/**
 * Searches while somebody types, by the loader of the page. An answer that a newer text has overtaken is dropped.
 *
 * @returns the latest answer, which is of an earlier text while that of a newer one loads; undefined before the first
 */
export function useFound(q: string): Found | undefined {
  const { data, load } = useFetcher<Found>();
  useEffect(() => {
    const timer = setTimeout(() => load(findUrl(q)), q === "" ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [q, load]);
  return data;
}
