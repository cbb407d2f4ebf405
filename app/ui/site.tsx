import type { MetaDescriptor } from "@remix-run/cloudflare";
import { useRouteLoaderData } from "@remix-run/react";
import { createContext, useContext } from "react";
import type { BusinessNames } from "~/domain/enums";
import type { BrandIcon } from "./icons";

/** Text of a footer's link, and its target: a path of the shop, another address, or "" for text alone. */
export type FooterLink = [text: string, to: string];

export interface Site {
  name: string;
  businesses: BusinessNames;
  /** Key of the logo; "" for the sign that the shop brings along. */
  logo: string;
  /** Origin of canonical links, without a trailing slash. */
  url: string;
  supportEmail: string;
  legalEmail: string;
  phone: string;
  pickup: { address: string; hours: { days: string; times: string }[]; mapUrl: string };
  /** Address, hours, phone and e-mail in the footer. */
  contact: FooterLink[];
  /** Networks on which the shop is: icon, name and address. */
  social: [network: BrandIcon, name: string, url: string][];
  /** Sentence below the name in the footer. */
  tagline: string;
}

const FALLBACK: Site = {
  name: "Emporia",
  businesses: { EMPORIA: "Emporia", LASER: "Laser Craft" },
  logo: "",
  url: "",
  supportEmail: "",
  legalEmail: "",
  phone: "",
  pickup: { address: "", hours: [], mapUrl: "" },
  contact: [],
  social: [],
  tagline: "",
};

/** Returns the shop's data; empty except for the name when root failed to load. */
export function useSite(): Site {
  return useRouteLoaderData<{ shop: Site }>("root")?.shop ?? FALLBACK;
}

/** CSP nonce of the response during rendering; undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}

/** Reference of a failed response during rendering; undefined in the browser, where the document carries it. */
export const ReferenceContext = createContext<string | undefined>(undefined);

/** Paths of the page's modules during rendering; empty in the browser, which has begun to load them. */
export const ModulesContext = createContext<string[]>([]);

/** Form key of the response during rendering; undefined in the browser. */
export const FormKeyContext = createContext<string | undefined>(undefined);

/** Hidden field by which the server recognises a form that is submitted twice; scripts submit theirs once. */
export function FormKey() {
  return (
    <input
      type="hidden"
      name="key"
      defaultValue={useContext(FormKeyContext) ?? ""}
      suppressHydrationWarning
    />
  );
}

/** Title of a page with its tags, or excluded from search engines: forms, accounts, errors. */
export type PageMeta = { title: string } & ({ tags: MetaDescriptor[] } | { hidden: true });

/** Unread answers in the reader's chats, which the shop's pages read. */
interface ShopAnswers {
  answers?: { unread: number };
}

/** Creates a page's `meta`: its title with the shop's name and the number of unread answers, and its tags. */
export function pageMeta(page: PageMeta, matches: { id: string; data?: unknown }[]): MetaDescriptor[] {
  const { name } = siteOf(matches);
  const shop = matches.find(({ id }) => id === "routes/_shop")?.data as ShopAnswers | undefined;
  const waiting = shop?.answers?.unread ?? 0;
  const named = page.title.includes(name) ? page.title : `${page.title} · ${name}`;
  const title = waiting > 0 ? `(${waiting}) ${named}` : named;
  return [{ title }, ...("tags" in page ? page.tags : [{ name: "robots", content: "noindex" }])];
}

/** Returns the shop's data from a page's matches; root's is missing after an error in root. */
export function siteOf(matches: { id: string; data?: unknown }[]): Site {
  const root = matches.find(({ id }) => id === "root")?.data as { shop?: Site } | undefined;
  return root?.shop ?? FALLBACK;
}
