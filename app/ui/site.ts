import { useRouteLoaderData } from "@remix-run/react";

/** Shop data of root's loader. */
export interface Site {
  name: string;
  /** Origin of canonical links, without a trailing slash. */
  url: string;
  supportEmail: string;
  legalEmail: string;
  phone: string;
  social: { instagram: string; facebook: string; tiktok: string };
}

const FALLBACK: Site = {
  name: "Emporia",
  url: "",
  supportEmail: "",
  legalEmail: "",
  phone: "",
  social: { instagram: "", facebook: "", tiktok: "" },
};

/** Returns the shop's data; empty except for the name when root failed to load. */
export function useSite(): Site {
  return useRouteLoaderData<{ shop: Site }>("root")?.shop ?? FALLBACK;
}
