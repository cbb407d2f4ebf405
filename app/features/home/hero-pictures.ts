import board400 from "./pictures/board-400.webp?url";
import board640 from "./pictures/board-640.webp?url";
import board920 from "./pictures/board-920.webp?url";

/** The hero's picture, shipped with the shop: it is what a first view waits for. */
export const HERO_PICTURE = {
  src: board640,
  srcSet: `${board400} 400w, ${board640} 640w, ${board920} 920w`,
  sizes: "(min-width: 64rem) 38rem, (min-width: 44rem) 45vw, 92vw",
};
