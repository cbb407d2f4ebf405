import { useEffect, useState } from "react";
import { listen } from "./listen";
import { showToast } from "./Toasts";

const OFFLINE = "You're offline. This page stays as it is until you're back.";

/** Events on which Remix prefetches a link's page; it reloads the page when a module of it can't be loaded. */
const INTENTS = ["mouseover", "mouseout", "focusin", "touchstart"];

/**
 * Shows a notice while the browser is offline and blocks links and forms, which would end on the browser's error page and
 * lose what was typed.
 */
export function OfflineNotice() {
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const update = () => setOffline(!navigator.onLine);
    const block = (event: Event) => {
      if (navigator.onLine || event.defaultPrevented || !needsServer(event)) return;
      event.stopImmediatePropagation();
      if (INTENTS.includes(event.type)) return;
      event.preventDefault();
      // The notice may lie behind a dialog.
      void showToast("error", "That works when you're back online.");
    };
    update();
    const ignoreNetwork = listen(window, ["online", "offline"], update);
    const unblock = listen(document, [...INTENTS, "click", "submit"], block, true);
    return () => {
      ignoreNetwork();
      unblock();
    };
  }, []);
  return <div role="status">{isOffline && <p className="offline">{OFFLINE}</p>}</div>;
}

/**
 * Detects clicks on links to other pages of the shop and submits of forms with an action; `data-queues` marks one that waits, `data-stays` a link that a
 * script shows on the page.
 */
function needsServer(event: Event): boolean {
  const { type } = event;
  // React takes entering an element from leaving another one.
  const target = type === "mouseout" ? (event as MouseEvent).relatedTarget : event.target;
  if (!(target instanceof Element)) return false;
  if (type === "submit")
    return (
      target.hasAttribute("action") &&
      target.getAttribute("method") !== "dialog" &&
      !target.hasAttribute("data-queues")
    );
  const link = target.closest<HTMLAnchorElement>("a[href]");
  return (
    link !== null &&
    !link.hasAttribute("data-stays") &&
    link.origin === window.location.origin &&
    !link.getAttribute("href")?.startsWith("#")
  );
}
