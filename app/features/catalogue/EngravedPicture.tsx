import { lazy, Suspense } from "react";
import { Picture } from "~/ui/Picture";
import type { ChosenPicture } from "./options";

/** Loaded with the first words; without them the picture stands alone. */
const EngravedWords = lazy(() => import("./EngravedWords").catch(() => ({ default: () => null })));

interface EngravedPictureProps extends ChosenPicture {
  words: string | null | undefined;
  sizes: string;
  width: number;
}

/** Small picture of a product with the words that are to be engraved on it. */
export function EngravedPicture({ image, plate, words, sizes, width }: EngravedPictureProps) {
  const picture = <Picture image={image} alt="" sizes={sizes} width={width} />;
  if (!plate || !words) return picture;
  return (
    <span className="engraved-picture">
      {picture}
      <Suspense>
        <EngravedWords plate={plate} words={words} />
      </Suspense>
    </span>
  );
}
