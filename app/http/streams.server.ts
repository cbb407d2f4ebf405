import { asAppError } from "./operation.server";

/**
 * Streams a body, so that a long list is never in memory as a whole.
 *
 * @param parts text in order; an error aborts the body and is logged
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

/** Serialises rows as one JSON array. */
export async function* asJsonArray(chunks: AsyncGenerator<unknown[]>): AsyncGenerator<string> {
  let before = "[";
  for await (const rows of chunks) {
    yield before + rows.map((row) => JSON.stringify(row)).join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
