import { useEffect, useState } from "react";

/**
 * Without a connection a link or a form would end on the browser's own error page and lose what was typed. It says so
 * instead, at the foot of the screen, and leaves the page as it is (look: every state is designed).
 */
export function OfflineNotice() {
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    const hold = (event: Event) => {
      if (navigator.onLine || !asksTheServer(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    look();
    for (const name of ["online", "offline"]) window.addEventListener(name, look);
    for (const name of ["click", "submit"]) document.addEventListener(name, hold, true);
    return () => {
      for (const name of ["online", "offline"]) window.removeEventListener(name, look);
      for (const name of ["click", "submit"]) document.removeEventListener(name, hold, true);
    };
  }, []);
  return (
    <div role="status">
      {offline && (
        <p className="offline">You're offline. What you see stays; please try again once you're back.</p>
      )}
    </div>
  );
}

/** Whether a click follows a link to another page of the shop, or a form is sent; one without an action is a script's own. */
function asksTheServer({ type, target }: Event): boolean {
  if (!(target instanceof Element)) return false;
  if (type === "submit") return target.hasAttribute("action") && target.getAttribute("method") !== "dialog";
  const link = target.closest<HTMLAnchorElement>("a[href]");
  return (
    link !== null && link.origin === window.location.origin && !link.getAttribute("href")?.startsWith("#")
  );
}
