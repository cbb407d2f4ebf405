import { useState } from "react";
import type { Plate } from "~/domain/engraving-plate";

export type Plates = ReturnType<typeof usePlates>;

/** Engraving plates of the product form, by the key of their image's tile. @param initial by entry, which is that key */
export function usePlates(initial: Record<string, Plate>) {
  const [plates, setPlates] = useState(initial);
  const [openKey, setOpenKey] = useState<string | null>(null);
  return {
    all: plates,
    openKey,
    of: (key: string): Plate | undefined => plates[key],
    open: (key: string | null) => setOpenKey((current) => (current === key ? null : key)),
    /** Sets the plate of an image; undefined removes it. */
    set(key: string, plate: Plate | undefined) {
      const { [key]: _, ...others } = plates;
      setPlates(plate ? { ...others, [key]: plate } : others);
    },
  };
}
