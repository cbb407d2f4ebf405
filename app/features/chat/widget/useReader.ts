import { useRouteLoaderData } from "@remix-run/react";
import { useEffect, useLayoutEffect, useState } from "react";
import { handOver } from "../client/storage";

interface ShopData {
  user: { id: string } | null;
}

/** The server has no layout, and React says so. */
const useEarlyEffect = import.meta.env.SSR ? useEffect : useLayoutEffect;

/**
 * Account of this page's reader, with the browser's memory handed over to them before anything reads it.
 *
 * @returns "" for an anonymous visitor
 */
export function useReader(): string {
  const office = useRouteLoaderData("routes/admin") as { userId: string } | undefined;
  const shop = useRouteLoaderData("routes/_shop") as ShopData | undefined;
  const isKnown = office !== undefined || shop !== undefined;
  const userId = office?.userId ?? shop?.user?.id ?? null;
  const [reader, setReader] = useState(userId);
  useEarlyEffect(() => {
    // A page that failed doesn't know who reads it: nothing is taken from anybody.
    if (!isKnown) return;
    handOver(userId);
    setReader(userId);
  }, [isKnown, userId]);
  return reader ?? "";
}
