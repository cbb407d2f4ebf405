import { recordFailure } from "~/features/incidents/operations.server";

interface Resizing {
  /** Picture as the page Health names it. */
  place: string;
  transform: ImageTransform;
  output: ImageOutputOptions;
}

/**
 * Resizes a stored picture.
 *
 * @returns null, which the page Health lists, when the Images binding fails: the stored picture is served instead
 */
export async function resizeImage(
  env: Env,
  image: ReadableStream<Uint8Array>,
  { place, transform, output }: Resizing,
): Promise<ImageTransformationResult | null> {
  try {
    return await env.IMAGES.input(image).transform(transform).output(output);
  } catch (error) {
    await recordFailure(env, { kind: "image", place }, error);
    return null;
  }
}
