import { type ComponentType, useEffect, useState } from "react";
import { Picture } from "~/ui/Picture";
import type { EngravedWordsProps } from "./EngravedWords";
import type { ChosenPicture } from "./options";

interface EngravedPictureProps extends ChosenPicture {
  words: string | null | undefined;
  sizes: string;
  width: number;
}

/** Small picture of a product with the words that are to be engraved on it. */
export function EngravedPicture({ image, plate, words, sizes, width }: EngravedPictureProps) {
  const isEngraved = Boolean(plate && words);
  const Words = useEngravedWords(isEngraved);
  const picture = <Picture image={image} alt="" sizes={sizes} width={width} />;
  if (!isEngraved) return picture;
  return (
    <span className="engraved-picture">
      {picture}
      {Words && plate && words && <Words plate={plate} words={words} />}
    </span>
  );
}

/**
 * Loads what draws words with the first of them; without it the picture stands alone. Not a lazy component, which a live
 * message would change before it is hydrated: React discards such a part and reports an error.
 */
function useEngravedWords(isWanted: boolean): ComponentType<EngravedWordsProps> | null {
  const [loaded, setLoaded] = useState<ComponentType<EngravedWordsProps> | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    import("./EngravedWords").then(
      (module) => setLoaded(() => module.default),
      () => undefined,
    );
  }, [isWanted]);
  return loaded;
}
