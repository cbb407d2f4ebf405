import type { ChatMessage } from "../protocol";
import { type NewMessage, RequestError } from "./api";

/** Milliseconds without progress after which an upload counts as broken; the server stores a large picture in less. */
const STALLED_MS = 45_000;

/**
 * Posts a message with one file. XMLHttpRequest reports the progress, which `fetch` does not.
 *
 * @param onProgress receives the share that was sent, 0 to 1
 * @param signal cancels the upload
 * @throws RequestError for a rejected message; Error when the connection breaks
 */
export function uploadFile(
  { id, chatId, senderName, isFromAdmin }: Omit<NewMessage, "message">,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<ChatMessage> {
  const form = new FormData();
  const fields = { id, chatId, senderName, isFromAdmin: String(isFromAdmin) };
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
