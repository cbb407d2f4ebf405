import { useEffect, useRef } from "react";
import { newClientId } from "~/features/chat/client-id";
import type { ChatMessage, QuotedMessage } from "~/features/chat/protocol";
import { useLatest } from "~/ui/latest";
import { type NewMessage, RequestError } from "./api";
import { type Action, hasFile, type UnsentFileMessage, type UnsentMessage } from "./message-store";
import { forgetFiles, keepFile, readKeptFiles } from "./unsent";
import { useLeaveWarning } from "./useAttachments";

/** Runs the request of a message and records its outcome, unless it was cancelled. */
export type Deliver = (id: string, post: () => Promise<ChatMessage>, signal?: AbortSignal) => Promise<void>;

interface FileSendingOptions {
  chatId: string | null;
  senderName: string;
  isFromAdmin: boolean;
  unsent: UnsentMessage[];
  deliver: Deliver;
  dispatch(action: Action): void;
}

/**
 * Sends files one after the other, each as a message of its own: each has its progress, and one that fails does not hold
 * up the others (docs/decisions/0022-chat-files.md).
 */
export function useFileSending(options: FileSendingOptions) {
  const { chatId, senderName, isFromAdmin, unsent, deliver, dispatch } = options;
  const queue = useRef(Promise.resolve());
  const uploads = useRef(new Map<string, AbortController>());
  const upload = async (
    file: File,
    sent: { id: string; replyTo: string | undefined },
    { signal }: AbortController,
  ): Promise<void> => {
    const { id } = sent;
    if (!chatId || signal.aborted) return;
    const report = (progress: number) => dispatch({ type: "progress", id, progress });
    report(0);
    await deliver(
      id,
      () => uploadFile({ ...sent, chatId, senderName, isFromAdmin }, file, report, signal),
      signal,
    );
  };
  const sendFile = (file: File, id = newClientId(), replyTo?: QuotedMessage): Promise<void> => {
    const cancelling = new AbortController();
    uploads.current.set(id, cancelling);
    dispatch({ type: "sending", id, message: "", replyTo, sentAt: Math.floor(Date.now() / 1000), file });
    queue.current = queue.current.then(() => upload(file, { id, replyTo: replyTo?.id }, cancelling));
    return queue.current;
  };
  useKeptFiles(chatId && conversationKey(chatId, isFromAdmin), unsent, sendFile, dispatch);
  const cancel = (id: string) => {
    uploads.current.get(id)?.abort();
    dispatch({ type: "cancelled", id });
  };
  return { sendFile, cancel };
}

/** Returns the key of a side's files on this device. */
export const conversationKey = (chatId: string, isFromAdmin: boolean) =>
  isFromAdmin ? `staff-${chatId}` : chatId;

const isRejected = ({ rejected }: UnsentMessage) => rejected === true;

/** Keeps the unsent files of a conversation on this device, and goes on sending those of an earlier page. */
function useKeptFiles(
  conversation: string | null,
  unsent: UnsentMessage[],
  sendFile: (file: File, id: string) => unknown,
  dispatch: (action: Action) => void,
): void {
  const known = useRef<UnsentFileMessage[]>([]);
  const files = unsent.filter(hasFile);
  useLeaveWarning(files.length > 0);
  useEffect(() => {
    if (conversation === null) return;
    const before = new Map(known.current.map((message) => [message.id, message]));
    known.current = unsent.filter(hasFile);
    for (const message of known.current) {
      const previous = before.get(message.id);
      before.delete(message.id);
      if (previous && isRejected(previous) === isRejected(message)) continue;
      void keepFile(conversation, { ...message, state: isRejected(message) ? "rejected" : "unsent" });
    }
    void forgetFiles(conversation, [...before.keys()]);
  }, [conversation, unsent]);
  const latest = useLatest(sendFile);
  useEffect(() => {
    if (conversation === null) return;
    void readKeptFiles(conversation).then((kept) => {
      for (const { id, file, state, reason } of kept) {
        if (state === "unsent") latest.current(file, id);
        if (state !== "rejected") continue;
        dispatch({ type: "sending", id, message: "", sentAt: Math.floor(Date.now() / 1000), file });
        dispatch({ type: "failed", id, rejected: true, ...(reason !== undefined && { reason }) });
      }
    });
  }, [conversation, dispatch, latest]);
}

/** Milliseconds without progress after which an upload counts as broken; the server stores a large picture in less. */
const STALLED_MS = 45_000;

/**
 * Posts a message with one file. XMLHttpRequest reports the progress, which `fetch` does not.
 *
 * @param onProgress receives the share that was sent, 0 to 1
 * @param signal cancels the upload
 * @throws RequestError for a rejected message; Error when the connection breaks
 */
function uploadFile(
  { id, chatId, senderName, isFromAdmin, replyTo = "" }: Omit<NewMessage, "message">,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<ChatMessage> {
  const form = new FormData();
  const fields = { id, chatId, senderName, isFromAdmin: String(isFromAdmin), replyTo };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("files", file);
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  let timer = setTimeout(abort, STALLED_MS);
  request.upload.onprogress = ({ loaded, total }) => {
    clearTimeout(timer);
    timer = setTimeout(abort, STALLED_MS);
    onProgress(total > 0 ? loaded / total : 0);
  };
  signal.addEventListener("abort", abort);
  return new Promise<ChatMessage>((resolve, reject) => {
    request.onload = () => {
      if (request.status < 400 && request.response) return resolve(request.response as ChatMessage);
      const { message = "" } = (request.response ?? {}) as { message?: string };
      reject(new RequestError(request.status, message));
    };
    request.onerror = request.onabort = () => reject(new Error("The upload broke off."));
    request.open("POST", "/api/chat/message");
    request.responseType = "json";
    request.send(form);
  }).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  });
}
