import { type MouseEvent, useEffect, useState } from "react";
import { Icon } from "~/ui/Icon";

/** Spec 9: the button appears after scrolling 300 px. */
const AFTER = 300;

/** Leads back to the top. Where the style sheet can't tell how far the page was scrolled, a script does. */
export function ScrollToTop() {
  const [shown, setShown] = useState<boolean>();
  useEffect(() => {
    if (CSS.supports("animation-timeline: scroll()")) return;
    const look = () => setShown(window.scrollY > AFTER);
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  return (
    // biome-ignore lint/a11y/useValidAnchor: without scripts it is the link that leads to the top
    <a
      className="icon-btn scroll-to-top"
      href="#top"
      aria-label="Back to the top"
      data-shown={shown}
      onClick={toTop}
    >
      <Icon name="arrow-up" />
    </a>
  );
}

function toTop(event: MouseEvent) {
  event.preventDefault();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: 0, behavior: calm ? "auto" : "smooth" });
  document.getElementById("main")?.focus({ preventScroll: true });
}
