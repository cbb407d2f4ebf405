import { useNavigation } from "@remix-run/react";

/** A thin line at the top while a page is on its way; it appears only if that takes a moment. */
export function Progress() {
  return useNavigation().state === "idle" ? null : <div className="progress" aria-hidden="true" />;
}
