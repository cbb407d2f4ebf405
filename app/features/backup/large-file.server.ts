import { createHash } from "node:crypto";
import { createTarPacker } from "modern-tar";
import { type LargeFile, packedSize, tarHeader } from "./archive";

/** SHA-256 of a large file's content, and of its slice. */
interface LargeDigests {
  digest: string;
  slice: string;
}

/**
 * Packs a large file as a slice of its own while it is read: a chunk is read when the one before has been taken.
 *
 * @throws Error when the file ends early
 */
export async function* packLargeFile(file: LargeFile): AsyncGenerator<Uint8Array<ArrayBuffer>, LargeDigests> {
  const [content, slice] = [createHash("sha256"), createHash("sha256")];
  let remaining = await packedSize(file);
  for await (const chunk of tarChunks(file, (read) => content.update(read))) {
    // The end of a tar file follows.
    const own = chunk.subarray(0, remaining);
    remaining -= own.byteLength;
    slice.update(own);
    if (own.byteLength > 0) yield own;
  }
  return { digest: content.digest("hex"), slice: slice.digest("hex") };
}

async function* tarChunks(
  { body, ...file }: LargeFile,
  onRead: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { readable, controller } = createTarPacker();
  const packed = readable.getReader();
  const writer = controller.add(tarHeader(file)).getWriter();
  for await (const chunk of body) {
    onRead(chunk);
    await writer.write(chunk);
    // One for one, so that no more waits than the few blocks of the header.
    const { value } = await packed.read();
    if (value) yield value;
  }
  await writer.close();
  controller.finalize();
  for (let next = await packed.read(); !next.done; next = await packed.read()) yield next.value;
}
