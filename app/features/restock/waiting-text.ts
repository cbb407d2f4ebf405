import { grouped } from "~/domain/grouped";

/** Says how many people wait for a product or a unit. */
export const waitingText = (people: number): string =>
  people === 1 ? "1 person waits for it" : `${grouped(people)} people wait for it`;
