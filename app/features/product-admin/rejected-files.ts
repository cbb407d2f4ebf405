/** A picked file that can't be among the images, and why: in the words of back office 8. */
export interface RejectedFile {
  name: string;
  why: string;
}

/** Files that are told by name before the rest is counted. */
const NAMED = 3;
const HEIC = /\.hei[cf]$/i;

/**
 * One line for all that were refused for the same reason, with what to do about it.
 *
 * @param files in the order they were refused
 */
export function rejectionMessage(files: RejectedFile[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, why } of files) {
    const kind = why === "Failed to load image" && HEIC.test(name) ? "HEIC" : why;
    const names = groups.get(kind) ?? [];
    if (!names.includes(name)) groups.set(kind, [...names, name]);
  }
  return [...groups].map(([why, names]) => lineOf(why, counted(names)));
}

function lineOf(why: string, names: string): string {
  switch (why) {
    case "Already there":
      return `Already there: ${names}`;
    case "Unsupported image format":
      return `${why}: ${names}. Save it as JPEG or PNG and add that.`;
    case "HEIC":
      return `Failed to process images: ${names}. This browser can’t open HEIC: save it as JPEG and add that.`;
    case "Failed to load image":
      return `Failed to process images: ${names} (${why}). The file seems damaged: save it anew as JPEG and add that.`;
    default:
      return `Failed to process images: ${names}${why ? ` (${why})` : ""}`;
  }
}

function counted(names: string[]): string {
  const more = names.length - NAMED;
  if (more <= 0) return names.join(", ");
  return `${names.slice(0, NAMED).join(", ")} and ${more} more`;
}
