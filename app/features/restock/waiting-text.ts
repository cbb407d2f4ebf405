import { grouped } from "~/domain/grouped";

/** Says how many people wait for a product or a unit. */
export const waitingText = (people: number): string =>
  people === 1 ? "1 person waits for it" : `${grouped(people)} people wait for it`;

/** Says what the shop has promised to somebody who waits. @param email "" for a browser */
export function promiseText({ email, isConfirmed }: { email: string; isConfirmed: number }): string {
  if (!isConfirmed) return `Press the button in our mail to ${email}, and we will tell you`;
  return email ? `We’ll write to ${email}, once` : "We’ll notify your device, once";
}
