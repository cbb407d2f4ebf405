import { MAX_FILE_BYTES } from "../files";

/** Types that the server stores; it also judges files whose type the browser does not know. */
const STORED_TYPES = /^(?:image\/(?:jpeg|png|webp|gif)|application\/pdf|)$/;
/** Pictures that this browser may be able to convert. */
const CONVERTIBLE = /^image\/(?!svg)/;
/** Largest side of a picture that the browser converts, px, and its JPEG quality. */
const MAX_SIDE = 2048;
const JPEG_QUALITY = 0.85;

/**
 * Makes a chosen file ready for its upload: pictures that the server cannot decode (HEIC) or that are too large become
 * JPEG, as far as the browser can decode them.
 *
 * @throws Error with the message for the user
 */
export async function prepareFile(file: File): Promise<File> {
  const isHeic = /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
  const isStored = !isHeic && STORED_TYPES.test(file.type);
  if (isStored && file.size <= MAX_FILE_BYTES) return file;
  const isConvertible = isHeic || CONVERTIBLE.test(file.type);
  const converted = isConvertible ? await toJpeg(file).catch(() => null) : null;
  if (converted && converted.size <= MAX_FILE_BYTES) return converted;
  if (isHeic) throw new Error(`${file.name}: this browser can’t open HEIC. Save it as JPEG and add that.`);
  if (isStored) throw new Error(`${file.name} is larger than 10 MB.`);
  throw new Error(`${file.name} is no picture or PDF that can be sent.`);
}

async function toJpeg(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The picture could not be drawn.");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY),
  );
  if (!blob) throw new Error("The picture could not be converted.");
  return new File([blob], `${file.name.replace(/\.\w+$/, "")}.jpg`, { type: "image/jpeg" });
}
