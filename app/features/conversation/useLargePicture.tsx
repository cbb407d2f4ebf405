import { type MouseEvent, type ReactNode, useState } from "react";
import { localTo } from "~/domain/local-to";

/** Shows a picture large by a part that is loaded with the first press; without it the browser opens the file. */
export function useLargePicture() {
  const [viewer, setViewer] = useState<ReactNode>(null);
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const opener = event.currentTarget;
    const close = () => setViewer(null);
    import("./PictureViewer").then(
      ({ PictureViewer }) => setViewer(<PictureViewer opener={opener} onClose={close} />),
      () => window.open(localTo(opener.pathname + opener.search), "_blank", "noopener"),
    );
  };
  return { onClick, viewer };
}
