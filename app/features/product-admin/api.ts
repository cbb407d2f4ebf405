/** The calls that saving a product makes (back office 7), with an error's own words. */

const UNKNOWN = "Unknown error";
const BROKEN = "The connection broke. Please try again.";

/** A call that was answered with a refusal. */
class CallRefused extends Error {
  constructor(
    said: Record<string, unknown>,
    readonly status: number,
  ) {
    super(wordsOf(said));
  }
}

/** Whether a call was refused because nobody is signed in any more. */
export const isSignedOut = (error: unknown): boolean => error instanceof CallRefused && error.status === 401;

/** Creates a product by an id of our own making: one that is there already is the one that was sent before. Its id. */
export async function createProduct(product: Record<string, unknown> & { id: string }): Promise<string> {
  const answer = await sendJson("POST", "/api/product", product);
  const said = await told(answer);
  if (answer.status === 409) return product.id;
  if (!answer.ok) throw new CallRefused(said, answer.status);
  const made = said.productId ?? said.id;
  if (typeof made !== "string" || made === "")
    throw new Error("Failed to create product: No product ID returned");
  return made;
}

/** Changes a product. */
export async function updateProduct(id: string, changes: Record<string, unknown>): Promise<void> {
  const answer = await sendJson("PUT", `/api/product/${id}`, changes);
  if (!answer.ok) throw new CallRefused(await told(answer), answer.status);
}

function sendJson(method: "POST" | "PUT", address: string, value: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return fetch(address, { method, headers, body: JSON.stringify(value) }).catch(() => {
    throw new Error(BROKEN);
  });
}

/**
 * Uploads one picture.
 *
 * @param onProgress told how much of it is sent, 0 to 1
 * @returns its entry for imageUrls
 */
export function uploadImage(
  product: string,
  image: { blob: Blob; name: string },
  onProgress: (part: number) => void,
): Promise<string> {
  const form = new FormData();
  form.append("files", image.blob, image.name);
  form.append("productId", product);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/storage/upload");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Error(BROKEN));
    request.onload = () => {
      const said = (request.response ?? {}) as Record<string, unknown>;
      if (request.status !== 201) return reject(new CallRefused(said, request.status));
      const key = Array.isArray(said.objectKeys) ? said.objectKeys[0] : undefined;
      if (typeof key !== "string") return reject(new Error("No images were uploaded successfully"));
      resolve(`minio:${key}`);
    };
    request.send(form);
  });
}

async function told(answer: Response): Promise<Record<string, unknown>> {
  try {
    return (await answer.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function wordsOf(said: Record<string, unknown>): string {
  const words = said.ERR_MSG ?? said.message;
  return typeof words === "string" && words !== "" ? words : UNKNOWN;
}
