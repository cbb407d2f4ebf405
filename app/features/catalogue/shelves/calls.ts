/** The calls that saving a product makes (back office 7), with an error's own words. */

const UNKNOWN = "Unknown error";
const BROKEN = "The connection broke. Please try again.";

/** Creates or changes a product; its id. */
export async function sendProduct(id: string | null, product: Record<string, unknown>): Promise<string> {
  const answer = await fetch(id ? `/api/product/${id}` : "/api/product", {
    method: id ? "PUT" : "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(product),
  }).catch(() => {
    throw new Error(BROKEN);
  });
  const said = await told(answer);
  if (!answer.ok) throw new Error(wordsOf(said));
  const made = said.productId ?? said.id;
  if (typeof made !== "string" || made === "")
    throw new Error("Failed to create product: No product ID returned");
  return made;
}

/**
 * Uploads one picture.
 *
 * @param onProgress told how much of it is sent, 0 to 1
 * @returns its entry for imageUrls
 */
export function sendImage(
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
      if (request.status !== 201) return reject(new Error(wordsOf(said)));
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
