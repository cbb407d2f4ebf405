import { useEffect, useState } from "react";
import { Icon } from "~/ui/Icon";
import { hasFile, type UnsentFileMessage, type UnsentMessage } from "./message-store";

interface UnsentFilesProps {
  unsent: UnsentMessage[];
  /** Failed files are sent once the connection is back. */
  isOffline?: boolean;
  resend(message: UnsentMessage): unknown;
  cancel(id: string): void;
}

/** Files that are being sent, or that were not sent. */
export function UnsentFiles({ unsent, isOffline = false, resend, cancel }: UnsentFilesProps) {
  return (
    <div className="unsent-files">
      {unsent.filter(hasFile).map((message) => (
        <UnsentFile
          key={message.id}
          message={message}
          isWaiting={isOffline && message.failed && !message.rejected}
          onRetry={() => resend(message)}
          onCancel={() => cancel(message.id)}
        />
      ))}
    </div>
  );
}

interface UnsentFileProps {
  message: UnsentFileMessage;
  isWaiting: boolean;
  onRetry(): void;
  onCancel(): void;
}

/** File that is being sent, with its progress, or that was not sent, with a retry. */
function UnsentFile({ message, isWaiting, onRetry, onCancel }: UnsentFileProps) {
  const { file, failed, progress, reason } = message;
  const hasFailed = failed && !isWaiting;
  return (
    <div className={hasFailed ? "unsent-file failed" : "unsent-file"}>
      <FilePreview file={file} />
      <span className="attachment-name">
        {file.name}
        <SendingState
          isWaiting={isWaiting}
          hasFailed={hasFailed}
          reason={reason}
          progress={progress}
          name={file.name}
        />
      </span>
      {hasFailed && !reason && (
        <button
          type="button"
          className="unsent-file-retry"
          onClick={onRetry}
          aria-label={`Retry ${file.name}`}
        >
          <Icon name="rotate-cw" /> Retry
        </button>
      )}
      <button type="button" aria-label={`Cancel ${file.name}`} onClick={onCancel}>
        <Icon name="x" />
      </button>
    </div>
  );
}

interface SendingStateProps {
  isWaiting: boolean;
  hasFailed: boolean;
  reason: string | undefined;
  /** Missing while other files are sent first. */
  progress: number | undefined;
  name: string;
}

function SendingState({ isWaiting, hasFailed, reason, progress, name }: SendingStateProps) {
  if (hasFailed)
    return (
      <small className="unsent-file-error">
        <Icon name="circle-alert" /> Not sent{reason && `: ${reason}`}
      </small>
    );
  if (isWaiting) return <small>Waits for the connection</small>;
  if (progress === undefined) return <small>Waiting</small>;
  return (
    <small>
      {progress < 1 ? `Sending, ${Math.floor(progress * 100)}%` : "Finishing"}
      <progress max={1} value={progress} aria-label={`Sending ${name}`} />
    </small>
  );
}

/** Preview of a file on this device: the picture, or an icon. */
export function FilePreview({ file }: { file: File }) {
  const url = useObjectUrl(file);
  const [isBroken, setBroken] = useState(false);
  return url && !isBroken ? (
    <img className="file-preview" src={url} alt="" onError={() => setBroken(true)} />
  ) : (
    <span className="file-preview">
      <Icon name="file-text" />
    </span>
  );
}

/** Creates a URL of a picture for as long as the component is mounted. */
function useObjectUrl(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith("image/")) return;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}
