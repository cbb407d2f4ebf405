import { useRouteLoaderData } from "@remix-run/react";

/** What root tells every page about the shop. */
export interface Site {
  name: string;
  /** Origin of canonical links, without a trailing slash. */
  url: string;
  supportEmail: string;
  legalEmail: string;
  phone: string;
  social: { instagram: string; facebook: string; tiktok: string };
}

const UNKNOWN: Site = {
  name: "Emporia",
  url: "",
  supportEmail: "",
  legalEmail: "",
  phone: "",
  social: { instagram: "", facebook: "", tiktok: "" },
};

/** The shop's own particulars; empty ones, but for the name, while root's data could not be had. */
export function useSite(): Site {
  return useRouteLoaderData<{ shop: Site }>("root")?.shop ?? UNKNOWN;
}
