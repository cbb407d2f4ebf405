import { type ComponentType, useEffect, useState } from "react";
import { Icon } from "~/ui/Icon";
import { useShortcuts } from "~/ui/shortcuts";
import type { CodeHit } from "./lookup";
import type { ScanDialogProps } from "./ScanDialog";

interface ScanButtonProps {
  /** Takes the unit of a code. */
  onHit: (unit: CodeHit) => void;
  /** Word for what is done with it; without one, the dialog closes. */
  said?: string;
  /** Unknown code, which the dialog asks about; null opens none. */
  code?: string | null;
  onClose?: () => void;
}

/** Mark of a document that is loaded again to get the camera. */
const RELOADED = "emporia:scan";

/** Tells whether the policy of the document permits the camera: that of a page outside the back office does not. */
const hasCameraPolicy = () => {
  const [loaded] = performance.getEntriesByType("navigation");
  return loaded === undefined || /^\/admin(?:\/|$)/i.test(new URL(loaded.name).pathname);
};

/** Button that opens the camera to read codes. Its code loads on the tap. */
export function ScanButton({ onHit, said, code = null, onClose }: ScanButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const Dialog = useDialog(isOpen || code !== null);
  const open = () => {
    if (hasCameraPolicy()) return setOpen(true);
    sessionStorage.setItem(RELOADED, "1");
    location.reload();
  };
  useEffect(() => {
    if (sessionStorage.getItem(RELOADED) === null) return;
    sessionStorage.removeItem(RELOADED);
    setOpen(true);
  }, []);
  useShortcuts({ b: open });
  const close = () => {
    setOpen(false);
    onClose?.();
  };
  return (
    <>
      <button type="button" className="btn needs-script" onClick={open} aria-keyshortcuts="b">
        <Icon name="scan-barcode" className="i s" />
        Scan
      </button>
      {Dialog && (isOpen || code !== null) && (
        <Dialog key={code} code={code} onHit={onHit} said={said ?? null} close={close} />
      )}
    </>
  );
}

/** Loads the dialog when it is first wanted. */
function useDialog(isWanted: boolean) {
  const [Dialog, setDialog] = useState<ComponentType<ScanDialogProps> | null>(null);
  useEffect(() => {
    if (isWanted) void import("./ScanDialog").then(({ ScanDialog }) => setDialog(() => ScanDialog));
  }, [isWanted]);
  return Dialog;
}
