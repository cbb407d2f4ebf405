import { type MouseEvent, useEffect, useState } from "react";
import { Icon } from "~/ui/Icon";

/** Scroll position from which the link is visible, px. */
const THRESHOLD = 300;

/** Link back to the top; a script shows it in browsers without scroll-driven animations. */
export function ScrollToTop() {
  const [isVisible, setVisible] = useState<boolean>();
  useEffect(() => {
    if (CSS.supports("animation-timeline: scroll()")) return;
    const update = () => setVisible(window.scrollY > THRESHOLD);
    update();
    window.addEventListener("scroll", update, { passive: true });
    return () => window.removeEventListener("scroll", update);
  }, []);
  return (
    // biome-ignore lint/a11y/useValidAnchor: works as a link without JavaScript
    <a
      className="icon-btn scroll-to-top"
      href="#top"
      aria-label="Back to the top"
      data-shown={isVisible}
      onClick={scrollToTop}
    >
      <Icon name="arrow-up" />
    </a>
  );
}

function scrollToTop(event: MouseEvent) {
  event.preventDefault();
  const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: 0, behavior: reducesMotion ? "auto" : "smooth" });
  document.getElementById("main")?.focus({ preventScroll: true });
}
