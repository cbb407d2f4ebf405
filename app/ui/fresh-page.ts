import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Interval at which a page that is looked at is read again, ms. */
const FRESH_INTERVAL = 20_000;

/** Reads the data of a page again when its tab is looked at again, and now and then while it is. */
export function useFreshPage(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const read = () => document.hidden || !navigator.onLine || revalidate();
    const timer = setInterval(read, FRESH_INTERVAL);
    document.addEventListener("visibilitychange", read);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", read);
    };
  }, [revalidate]);
}
