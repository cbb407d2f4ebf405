import { Link as RouterLink, type LinkProps as RouterLinkProps } from "@remix-run/react";

interface LinkProps
  extends Omit<RouterLinkProps, "to" | "discover" | "prefetch" | "relative" | "reloadDocument"> {
  /** A local address from its `/` on. */
  to: string;
}

/**
 * Remix's Link for local addresses: what a page needs is fetched when its link seems to be meant. The server writes the
 * same tag without what only a browser needs: to work out where a hundred links lead was a third of what rendering a
 * page of products took. The browser knows every route from the start, so that no link has to say where to discover one.
 */
export function Link(props: LinkProps) {
  if (!import.meta.env.SSR) return <RouterLink prefetch="intent" discover="none" {...props} />;
  const { to, replace, state, preventScrollReset, viewTransition, ...attributes } = props;
  return <a {...attributes} href={to} />;
}
