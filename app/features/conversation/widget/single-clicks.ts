import { useEffect } from "react";
import { listen } from "~/ui/listen";

/** Controls of the chat, in the panel and on its own page. */
const CONTROLS = ':is(aside[aria-label="Chat"],.chat-embedded) :is(a,button,summary)';

/** Ignores the second click of a double-click on the chat's controls: the first may have put another one under the pointer. */
export function useSingleClicks(): void {
  useEffect(() => {
    const ignoreSecond = (event: MouseEvent) => {
      if (event.detail < 2 || !(event.target instanceof Element) || !event.target.closest(CONTROLS)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // Pressing moves the focus.
    return listen(window, ["mousedown", "click"], ignoreSecond, true);
  }, []);
}
