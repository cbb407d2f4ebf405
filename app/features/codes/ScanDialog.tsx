import { type FormEvent, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Icon } from "~/ui/Icon";
import { CodePanel, HitList } from "./CodePanel";
import type { ReadCode } from "./camera";
import { type CodeHit, hitName, lookUpCode } from "./lookup";
import { useCamera } from "./useCamera";

export interface ScanDialogProps {
  /** Code that was typed; null reads one from the camera. */
  code: string | null;
  onHit: (unit: CodeHit) => void;
  said: string | null;
  close: () => void;
}

/** Dialog with the camera above and what it has read underneath. */
export function ScanDialog({ code, onHit, said, close }: ScanDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const scan = useScan({ onHit, said, close });
  const { find } = scan;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    dialog.current?.showModal();
    if (code !== null) void find({ text: code, format: "" });
  }, []);
  // Beside the form of the list that the button stands in, which must not take what is typed and sent here.
  return createPortal(
    <dialog
      ref={dialog}
      className="dialog scan-dialog"
      aria-labelledby="scan-title"
      onClose={close}
      onSubmit={keepInside}
      onChange={keepInside}
      onInput={keepInside}
      onKeyDown={keepInside}
    >
      {code === null ? (
        <Camera onCode={find} close={close} />
      ) : (
        <header>
          <h2 id="scan-title">Code</h2>
          <CloseButton close={close} />
        </header>
      )}
      <ScanResult {...scan} isTyped={code !== null} />
    </dialog>,
    document.body,
  );
}

/** Keeps an event from the components around the dialog. */
const keepInside = (event: SyntheticEvent) => event.stopPropagation();

function CloseButton({ close }: { close: () => void }) {
  return (
    <button type="button" className="tool-button" aria-label="Close" title="Close (Esc)" onClick={close}>
      <Icon name="x" />
    </button>
  );
}

function Camera({ onCode, close }: { onCode: (code: ReadCode) => void; close: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const { problem, light } = useCamera(video, onCode);
  return (
    <>
      <header>
        <h2 id="scan-title">Scan</h2>
        {light && (
          <button type="button" className="btn" aria-pressed={light.isOn} onClick={light.toggle}>
            <Icon name="zap" className="i s" />
            Light
          </button>
        )}
        <CloseButton close={close} />
      </header>
      {problem === null ? (
        <div className="scan-camera">
          <video ref={video} muted playsInline aria-label="Camera picture" />
          <i className="scan-frame" />
        </div>
      ) : (
        <p className="scan-problem" role="alert">
          <Icon name="camera" className="i s" />
          {problem}
        </p>
      )}
    </>
  );
}

/** Meaning of a code that was read. */
type Found =
  | { kind: "none" }
  | { kind: "unknown"; code: ReadCode }
  | { kind: "several"; code: ReadCode; hits: CodeHit[] }
  | { kind: "done"; text: string }
  | { kind: "failed"; code: ReadCode };

function useScan({ onHit, said, close }: Omit<ScanDialogProps, "code">) {
  const [found, setFound] = useState<Found>({ kind: "none" });
  const take = (unit: CodeHit) => {
    onHit(unit);
    if (said === null) return close();
    setFound({ kind: "done", text: `${said}: ${hitName(unit)}` });
  };
  const find = async (code: ReadCode) => {
    // The question about a code stays until it is answered.
    if (found.kind === "unknown" && code.format !== "") return;
    const hits = await lookUpCode(code.text);
    const [only, second] = hits ?? [];
    if (!hits) setFound({ kind: "failed", code });
    else if (second) setFound({ kind: "several", code, hits });
    else if (only) take(only);
    else setFound({ kind: "unknown", code });
  };
  const next = () => (said === null && found.kind === "unknown" ? close() : setFound({ kind: "none" }));
  return { found, find, take, next, reset: () => setFound({ kind: "none" }) };
}

type ScanResultProps = ReturnType<typeof useScan> & { isTyped: boolean };

function ScanResult({ found, find, take, next, reset, isTyped }: ScanResultProps) {
  if (found.kind === "unknown")
    return (
      <CodePanel
        code={found.code.text}
        format={found.code.format}
        onLinked={(unit) => take(unit)}
        next={isTyped ? next : reset}
        nextLabel={isTyped ? "Go on" : "Scan the next"}
      />
    );
  return (
    <div className="scan-result">
      <div role="status">
        {found.kind === "done" && (
          <p className="scan-done">
            <Icon name="check" className="i s" />
            {found.text}
          </p>
        )}
        {found.kind === "failed" && (
          <p>{`“${found.code.text.slice(0, 60)}” could not be looked up. Codes have at most 60 characters.`}</p>
        )}
        {found.kind === "several" && (
          <p>{`${found.hits.length} units have the code ${found.code.text}. Which one?`}</p>
        )}
      </div>
      {found.kind === "several" && <HitList hits={found.hits} take={take} label="Choose" />}
      <TypedCode find={find} />
    </div>
  );
}

/** Field for a code that the camera can't read. */
function TypedCode({ find }: { find: (code: ReadCode) => void }) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("code") ?? "").trim();
    if (text) find({ text, format: "" });
    event.currentTarget.reset();
  };
  return (
    <form className="scan-typed" onSubmit={send}>
      <input
        className="input"
        name="code"
        aria-label="Code"
        placeholder="Or type the code"
        autoComplete="off"
      />
      <button type="submit" className="btn">
        Find
      </button>
    </form>
  );
}
