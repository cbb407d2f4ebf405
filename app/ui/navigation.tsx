import {
  type FormProps,
  Form as RouterForm,
  Link as RouterLink,
  type LinkProps as RouterLinkProps,
  useNavigate as useRouterNavigate,
} from "@remix-run/react";
import { forwardRef, useCallback } from "react";
import { localTo } from "~/domain/local-to";

interface LinkProps extends Omit<RouterLinkProps, "to" | "discover" | "relative" | "viewTransition"> {
  /** Local path, or a query or fragment of the page. */
  to: string;
}

/**
 * Remix's Link for pages of the shop, which prefetches those that are the same before and after they were read. The server
 * renders a plain `<a>` for a path: resolving a hundred links took a third of the time of rendering a product list. Route
 * discovery is off, since the browser has all routes.
 */
export function Link({
  to,
  replace,
  state,
  preventScrollReset,
  prefetch,
  reloadDocument,
  ...props
}: LinkProps) {
  const target = localTo(to);
  // One copy of the attributes, since a page has a hundred links.
  if (reloadDocument || (import.meta.env.SSR && target.startsWith("/")))
    return <a {...props} href={target} />;
  return (
    <RouterLink
      {...props}
      {...{ replace, state, preventScrollReset }}
      prefetch={prefetch ?? (isPrefetched(target) ? "intent" : "none")}
      discover="none"
      to={target}
    />
  );
}

const isPrefetched = (target: string) => /^\/(?!admin|chat|account)/.test(target);

/** Remix's Form for pages of the shop; without `action` it is sent to its own page. */
export const Form = forwardRef<HTMLFormElement, FormProps>(({ action, ...props }, ref) => (
  <RouterForm discover="none" {...props} ref={ref} action={action === undefined ? action : localTo(action)} />
));

/** Returns a function that navigates to a page of the shop. */
export function useNavigate() {
  const navigate = useRouterNavigate();
  return useCallback(
    (to: string, options?: { replace?: boolean; preventScrollReset?: boolean; state?: unknown }) =>
      navigate(localTo(to), options),
    [navigate],
  );
}
