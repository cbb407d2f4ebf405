import { useEffect, useState } from "react";
import type { Group } from "./hits";

/** Pause in typing after which is searched, ms. */
const PAUSE = 150;

/** Result of a search: of an earlier text while that of a newer one loads. */
export interface Found {
  q: string;
  groups: Group[];
}

interface Search {
  found: Found | null;
  failure: string | null;
}

/** Searches while somebody types; an answer that a newer text has overtaken is dropped. */
export function useFound(q: string): Search {
  const [search, setSearch] = useState<Search>({ found: null, failure: null });
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        fetchFound(q, abort.signal).then(
          (found) => setSearch({ found, failure: null }),
          () => {
            if (abort.signal.aborted) return;
            setSearch({ found: { q, groups: [] }, failure: "The search did not work. Please try again." });
          },
        );
      },
      q === "" ? 0 : PAUSE,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [q]);
  return search;
}

async function fetchFound(q: string, signal: AbortSignal): Promise<Found> {
  const answer = await fetch(`/admin/find?${new URLSearchParams({ q })}`, { signal });
  if (!answer.ok) throw new Error(`The search answered ${answer.status}`);
  const { groups } = (await answer.json()) as Found;
  return { q, groups };
}
