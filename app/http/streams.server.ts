import { asAppError } from "./operation.server";

/**
 * A body that is made while it is read, so that a long list is never in memory at once.
 *
 * @param parts of the text, in order; what they throw breaks the body off, and is logged
 */
export function streamedResponse(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        controller.error(asAppError(error));
      }
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/** Rows as the text of one JSON array. */
export async function* asJsonArray(chunks: AsyncGenerator<unknown[]>): AsyncGenerator<string> {
  let before = "[";
  for await (const rows of chunks) {
    yield before + rows.map((row) => JSON.stringify(row)).join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
