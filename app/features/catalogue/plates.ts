import type { Plate } from "~/domain/engraving-plate";

/** Plate of a product's picture. */
export interface PicturePlate extends Plate {
  /** Index of the picture among those of the product. */
  picture: number;
  /** Stored entry of the picture. */
  image: string;
  /** Colour that the picture shows; null where it names none. */
  color: string | null;
}

/** Finds the plate for a chosen colour; without a choice the first one, as an example. */
export function plateFor(plates: PicturePlate[], color: string | null): PicturePlate | undefined {
  return plates.find((plate) => plate.color === color) ?? (color === null ? plates[0] : undefined);
}
