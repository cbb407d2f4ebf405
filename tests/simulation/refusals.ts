import type { Act } from "./model";
import { heldAt, type PastState } from "./past-states";

type Predicate = (state: PastState, act: Act) => boolean;
type Line = { productId?: string; unitId?: string; quantity: number };
type Lines = { holdId?: string; quoteId?: string; lines: Line[] };

const idOf = ({ request }: Act) => request.path.split("/")[3] ?? "";
const sent = ({ request }: Act) => request.json as Lines;
const quoteOf = (state: PastState, act: Act) =>
  state.quotes.get(act.kind === "sale" ? (sent(act).quoteId ?? "") : idOf(act));
const holdOf = (state: PastState, act: Act) =>
  state.holds.get(act.kind === "sale" ? (sent(act).holdId ?? "") : idOf(act));
const isExpired = (state: PastState, act: Act) => {
  const quote = quoteOf(state, act);
  return quote?.state === "sent" && quote.validUntil <= state.now;
};
const linesLeft = ({ left }: PastState, act: Act) => left.filter(({ document }) => document === idOf(act));

/** Reasons that name a state, and whether it was so. */
const REASONS: [RegExp, Predicate][] = [
  [/^This quote was accepted already/, (state, act) => quoteOf(state, act)?.state === "accepted"],
  [/^This quote was declined already/, (state, act) => quoteOf(state, act)?.state === "declined"],
  [/^This quote was withdrawn/, (state, act) => quoteOf(state, act)?.state === "withdrawn"],
  [/^This quote has expired/, isExpired],
  [/^This quote was sold already/, (state, act) => quoteOf(state, act)?.documentId != null],
  [/^Only an accepted quote/, (state, act) => quoteOf(state, act)?.state !== "accepted"],
  [/^This hold was sold already/, (state, act) => holdOf(state, act)?.state === "sold"],
  [
    /^This hold has ended/,
    (state, act) => {
      const hold = holdOf(state, act);
      return hold?.state !== "active" || hold.until <= state.now;
    },
  ],
  [/has been taken back already/, (state, act) => linesLeft(state, act).every(({ pieces }) => pieces === 0)],
];

/** Name of a product, perhaps with a choice: `ring (Moss)`. */
const NAME = String.raw`(\w+(?: \(\w+\))?)`;
const SHORTAGE = new RegExp(`${NAME}: (\\d+|none) left(?! to take back)`, "g");
const LEFT = new RegExp(`${NAME}: (\\d+) left to take back`, "g");

/** Tests that a product or unit had the stated stock, and too little of it for the lines. */
function isShort(state: PastState, act: Act, name: string, stated: number): boolean {
  const { lines, holdId } = sent(act);
  const unit = [...state.units.values()].find((each) => each.name === name);
  const isOf = (line: Line) => (line.unitId ?? line.productId) === unit?.id;
  const asked = lines.reduce((sum, line) => sum + (isOf(line) ? line.quantity : 0), 0);
  if (!unit) return false;
  return unit.stock === stated && asked > unit.stock - heldAt(state, unit.id, state.now, holdId);
}

/** Tests each shortage of `lamp: 2 left, 1 of them on hold until today 18:00; vase: none left`, at some state each. */
function areShortagesTrue(message: string, act: Act, states: PastState[]): boolean {
  const found = [...message.matchAll(SHORTAGE)];
  return found.every(([, name = "", left]) =>
    states.some((state) => isShort(state, act, name, left === "none" ? 0 : Number(left))),
  );
}

/** Tests `lamp: 1 left to take back`: a line had as many left, and fewer than the credit note takes. */
function isLeftTrue(message: string, act: Act, states: PastState[]): boolean {
  const found = [...message.matchAll(LEFT)];
  const asked = sent(act).lines?.[0]?.quantity ?? 0;
  return found.every(([, name, left]) =>
    states.some((state) =>
      linesLeft(state, act).some(
        ({ description, pieces }) => description === name && pieces === Number(left) && pieces < asked,
      ),
    ),
  );
}

/** Tests that a decision could be tried again: the quote was not open, and was open after that, as when a clock goes back. */
function isOpenAgain(act: Act, states: PastState[]): boolean {
  const isOpen = (state: PastState) => quoteOf(state, act)?.state === "sent" && !isExpired(state, act);
  const closed = states.findIndex((state) => !isOpen(state));
  return closed >= 0 && states.slice(closed).some(isOpen);
}

/** Tests that a refusal was true at some time of its request; true as well for one of another kind. */
export function isRefusalTrue(message: string, act: Act, states: PastState[]): boolean {
  const [, wasSo] = REASONS.find(([pattern]) => pattern.test(message)) ?? [];
  if (wasSo) return states.some((state) => wasSo(state, act));
  if (act.kind === "decision" && message === "Please try again.") return isOpenAgain(act, states);
  if (message.includes("left to take back")) return isLeftTrue(message, act, states);
  if (act.kind === "sale" || act.kind === "hold") return areShortagesTrue(message, act, states);
  return true;
}
