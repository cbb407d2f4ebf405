import { useRef } from "react";
import type { ChatMessage } from "../protocol";
import { newMessageId } from "./api";
import type { Action } from "./message-store";
import { uploadFile } from "./upload";

/** Runs the request of a message and records its outcome, unless it was cancelled. */
export type Deliver = (id: string, post: () => Promise<ChatMessage>, signal?: AbortSignal) => Promise<void>;

interface FileSendingOptions {
  chatId: string | null;
  senderName: string;
  isFromAdmin: boolean;
  deliver: Deliver;
  dispatch(action: Action): void;
}

/**
 * Sends files one after the other, each as a message of its own: each has its progress, and one that fails does not hold
 * up the others (docs/decisions/0022-chat-files.md).
 */
export function useFileSending({ chatId, senderName, isFromAdmin, deliver, dispatch }: FileSendingOptions) {
  const queue = useRef(Promise.resolve());
  const uploads = useRef(new Map<string, AbortController>());
  const upload = async (file: File, id: string, { signal }: AbortController): Promise<void> => {
    if (!chatId || signal.aborted) return;
    const report = (progress: number) => dispatch({ type: "progress", id, progress });
    report(0);
    await deliver(
      id,
      () => uploadFile({ id, chatId, senderName, isFromAdmin }, file, report, signal),
      signal,
    );
  };
  const sendFile = (file: File, id = newMessageId()): Promise<void> => {
    const cancelling = new AbortController();
    uploads.current.set(id, cancelling);
    dispatch({ type: "sending", id, message: "", sentAt: Math.floor(Date.now() / 1000), file });
    queue.current = queue.current.then(() => upload(file, id, cancelling));
    return queue.current;
  };
  const cancel = (id: string) => {
    uploads.current.get(id)?.abort();
    dispatch({ type: "cancelled", id });
  };
  return { sendFile, cancel };
}
