import type { BulkChoices, BulkResult, ImportRowResult, Plan } from "./plan";

const BROKEN = "The connection broke. Send the same file again: no row is stored twice.";
const UNREAD = "Upload failed: the connection broke before the file was read. Choose it again.";

function formOf(file: File, choices: BulkChoices | null): FormData {
  const form = new FormData();
  form.append("file", file, file.name);
  if (choices) form.append("choices", JSON.stringify(choices));
  return form;
}

/**
 * Asks what storing a file would do.
 *
 * @throws Error with the server's words
 */
export async function requestPlan(file: File, choices: BulkChoices | null): Promise<Plan> {
  const answer = await fetch("/admin/products-management/plan", {
    method: "POST",
    body: formOf(file, choices),
  }).catch(() => null);
  if (!answer) throw new Error(UNREAD);
  if (!answer.ok) throw new Error(await wordsOf(answer));
  return (await answer.json()) as Plan;
}

/**
 * Has the browser keep the rows that storing would refuse, as a file.
 *
 * @throws Error with the server's words
 */
export async function downloadRejected(file: File, choices: BulkChoices | null): Promise<void> {
  const answer = await fetch("/admin/products-management/refused", {
    method: "POST",
    body: formOf(file, choices),
  }).catch(() => null);
  if (!answer) throw new Error(BROKEN);
  if (!answer.ok) throw new Error(await wordsOf(answer));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "";
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Stores a file.
 *
 * @param told after each batch, how many products are done
 * @throws Error with the server's words, or that the connection broke
 */
export async function uploadFile(
  file: File,
  choices: BulkChoices | null,
  told: (stored: number, total: number) => void,
): Promise<{ result: BulkResult; run: string }> {
  const answer = await fetch("/api/product/bulk-upload", {
    method: "POST",
    headers: { Accept: "application/x-ndjson" },
    body: formOf(file, choices),
  }).catch(() => null);
  if (!answer) throw new Error(BROKEN);
  if (!answer.ok || !answer.body) throw new Error(await wordsOf(answer));
  for await (const line of linesOf(answer.body)) {
    if ("stored" in line) told(line.stored, line.total);
    else if ("failure" in line) throw new Error(line.failure);
    else return line;
  }
  throw new Error(BROKEN);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ImportRowResult> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as ImportRowResult;
  }
}

async function wordsOf(answer: Response): Promise<string> {
  try {
    const said = (await answer.json()) as { message?: unknown; details?: { message?: unknown }[] };
    const words = said.details?.[0]?.message ?? said.message;
    return typeof words === "string" && words ? words : "Upload failed";
  } catch {
    return "Upload failed";
  }
}
