import { useRouteLoaderData } from "@remix-run/react";

/** Tells that the back office is open for a seller, who has no books and no settings. */
export function useIsSeller(): boolean {
  return useRouteLoaderData<{ role: string }>("routes/admin")?.role === "seller";
}
