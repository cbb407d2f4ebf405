import { type ReactNode, useEffect, useState } from "react";
import { localTo } from "~/domain/local-to";
import { listen } from "~/ui/listen";
import { isPlainClick } from "~/ui/plain-click";

/**
 * Shows a pressed picture of a conversation large by a part that is loaded with the first press; without it the browser opens
 * the file. The conversation holds the viewer, since messages are drawn anew when they are joined.
 *
 * @returns the viewer, while a picture is large
 */
export function useLargePicture(): ReactNode {
  const [viewer, setViewer] = useState<ReactNode>(null);
  useEffect(
    () =>
      listen(document, ["click"], (event: MouseEvent) => {
        const opener = (event.target as Element).closest<HTMLAnchorElement>("a.file-picture");
        // Another conversation of the page shows it already.
        if (!opener || event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        const close = () => setViewer(null);
        import("./PictureViewer").then(
          ({ PictureViewer }) => setViewer(<PictureViewer opener={opener} onClose={close} />),
          () => window.open(localTo(opener.pathname + opener.search), "_blank", "noopener"),
        );
      }),
    [],
  );
  return viewer;
}
