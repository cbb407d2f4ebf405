import { IMAGE_WIDTHS, ObjectInput } from "~/features/storage/schema";
import type { RequestContext } from "~/http/request-context.server";
import { publicPages } from "./routes";

/** Longer queries are not cached, since they are unlikely to repeat. */
const MAX_QUERY_LENGTH = 200;
/** Parameters that advertisements and mails add to an address. */
const CAMPAIGN = /^(?:utm_\w+|gclid|gbraid|wbraid|fbclid|msclkid|ttclid|mc_[ce]id)$/;
const PICTURES = "/api/storage/object";

/** Builds the URL of a shared page from its path and known parameters; null for a personalised response. */
export function sharedPage(request: Request, { cookies, url: requested }: RequestContext): URL | null {
  if (request.method !== "GET" || cookies.any || request.headers.has("Authorization")) return null;
  const page = publicPages.find(({ path }) => path.test(requested.pathname));
  if (!page) return null;
  const { parameters, hasOptions } = page;
  const url = new URL(requested);
  if (url.searchParams.has("_data") || url.search.length > MAX_QUERY_LENGTH) return null;
  if (hasOptions && [...url.searchParams.keys()].some((name) => !CAMPAIGN.test(name))) return null;
  const known = parameters.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value ? [[name, value]] : [];
  });
  if (url.search) url.search = new URLSearchParams(known).toString();
  return url;
}

/** Tests for the address of pictures, which everyone may read. */
export const isPicture = ({ pathname }: Readonly<URL>) => pathname === PICTURES;

/** Builds the URL of a picture at a width that is offered; null for input that is refused. */
export function sharedPicture(request: Request, { url: requested }: RequestContext): URL | null {
  if (request.method !== "GET" || request.headers.has("Authorization")) return null;
  const input = ObjectInput.safeParse(Object.fromEntries(requested.searchParams));
  if (!input.success) return null;
  const { key, w = Number.POSITIVE_INFINITY } = input.data;
  const width = IMAGE_WIDTHS.find((offered) => offered >= w);
  const url = new URL(PICTURES, requested);
  url.search = new URLSearchParams({ key, ...(width && { w: String(width) }) }).toString();
  return url;
}

/** Answers a reader who has a picture already; null for another one. */
export function notModified(request: Request, picture: Response): Response | null {
  const etag = picture.headers.get("ETag") ?? "";
  const known = (request.headers.get("If-None-Match") ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""));
  if (!etag || !known.includes(etag)) return null;
  void picture.body?.cancel();
  const headers = new Headers(picture.headers);
  headers.delete("Content-Length");
  return new Response(null, { status: 304, headers });
}
