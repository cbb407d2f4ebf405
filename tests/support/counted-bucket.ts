/** Bytes that a Worker has received and not passed on. */
export interface Held {
  now: number;
  most: number;
}

const hold = (held: Held, bytes: number) => {
  held.now += bytes;
  held.most = Math.max(held.most, held.now);
};

/** Reads a stream slowly, so that whatever is read ahead waits with the Worker, and subtracts what it has read. */
export async function takeSlowly(
  stream: ReadableStream<Uint8Array>,
  held: Held,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of stream) {
    held.now -= chunk.byteLength;
    chunks.push(new Uint8Array(chunk));
    if (chunks.length % 16 === 0) await scheduler.wait(1);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Counts what is read of a stream as held. */
export function counted(stream: ReadableStream<Uint8Array>, held: Held): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        hold(held, value.byteLength);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Wraps a bucket: what is read of its files is held, what is stored as a stream is held no longer. */
export function countedBucket(bucket: R2Bucket, held: Held): R2Bucket {
  const get = async (key: string) => {
    const object = await bucket.get(key);
    if (!object) return null;
    const { size, httpMetadata, customMetadata } = object;
    const arrayBuffer = () => {
      hold(held, size);
      return object.arrayBuffer();
    };
    return {
      ...{ key, size, httpMetadata, customMetadata, arrayBuffer },
      get body() {
        return counted(object.body, held);
      },
    };
  };
  const put = async (key: string, value: Uint8Array | ReadableStream<Uint8Array>, options?: R2PutOptions) =>
    bucket.put(key, value instanceof ReadableStream ? await takeSlowly(value, held) : value, options);
  return { get, put, list: bucket.list.bind(bucket) } as unknown as R2Bucket;
}
