import { z } from "zod";
import { openDb } from "~/db/client.server";
import { readListWindow } from "~/db/lists";
import { defaultHoldEnd, formatKeptUntil } from "~/domain/hold-end";
import { chatIdentity, staffIdentity } from "~/features/chat/operations/access.server";
import { CARDS } from "~/features/chat/protocol";
import { AppError, type ErrorDetail } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { NextStep } from "~/http/nightly-job.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { writeOrExplain } from "~/http/refused-write.server";
import { repeatedAnswer, requestKey } from "~/http/repeated-request.server";
import type { RequestContext } from "~/http/request-context.server";
import { readList } from "~/http/streams.server";
import { fullName } from "~/session/caller.server";
import { Hold } from "../answers";
import { expectCard, postCard, postDecision } from "../cards.server";
import { fittingDescription, type HoldState } from "../document";
import { holdReads } from "../queries/hold-quote-list.server";
import {
  changeHold,
  findHold,
  HOLD_COLUMNS,
  insertHold,
  type StoredHold,
  settleEndedHolds,
  toHold,
} from "../queries/holds-and-quotes.server";
import { readSaleState, type SaleState, type SoldProduct } from "../queries/sale.server";
import { endOf, HoldChange, HoldInput, HoldListInput, type HoldRequest, PathId, unitIdOf } from "../schema";
import {
  explainMissing,
  type LinesRequest,
  lineConflict,
  missingUnits,
  productsOf,
  shortages,
} from "../shortages.server";
import { rejectErased } from "./customers.server";

/** Returns the state of a hold at an instant: it ends by the clock. */
export const holdState = ({ state, until }: Pick<StoredHold, "state" | "until">, now: number): HoldState =>
  state === "active" && until <= now ? "ended" : state;

export function apiHold(hold: StoredHold, now: number) {
  const { requestHash: _, documentId: _document, until, createdAt, state: _state, ...fields } = hold;
  return {
    ...fields,
    until: timestamp(until),
    state: holdState(hold, now),
    createdAt: timestamp(createdAt),
  };
}

/** GET hold: holds, those that end last first; active ones by what ends first. */
export const listHolds = operation({
  route: "GET hold",
  summary: "List holds",
  answer: z.array(Hold),
  isList: true,
  access: "staff",
  input: HoldListInput,
  async run({ input: { limit, offset, ...filter }, db, now }) {
    const columns = {
      columns: HOLD_COLUMNS,
      view: (row: Record<string, unknown>) => apiHold(toHold(row), now),
    };
    const reads = await holdReads(db, filter, columns);
    const dir = filter.state === "active" ? "asc" : "desc";
    return readList((window) => readListWindow(reads, { ...window, dir }), { limit, offset });
  },
});

/**
 * Sets products aside until an instant, by default the next closing time. Repeating a request with its id returns the same hold.
 *
 * @throws AppError notFound for a chat, customer or product; conflict when the stock does not suffice (a detail for each
 * line), the customer's data were deleted, or the id belongs to another hold
 */
export const placeHold = operation({
  route: "POST hold",
  summary: "Set products aside",
  answer: Hold,
  errors: [404, 409],
  access: "staff",
  input: HoldInput,
  status: 201,
  run: async ({ input, ...context }) => apiHold(await storeHold(context, input), context.now),
});

export async function storeHold(context: StaffContext, input: HoldRequest): Promise<StoredHold> {
  const { db, now, settings, user } = context;
  const { id: sentId, until: end, ...content } = input;
  const requestedUntil = end && endOf("until", end, now, settings.timezone);
  const { requestId: id, requestHash } = await requestKey(sentId, { ...content, until: requestedUntil });
  const until = requestedUntil ?? defaultHoldEnd(now, settings);
  const pieces = addedUp(input.lines);
  const unitIds = pieces.map(({ unitId }) => unitId);
  expectCard(context, input.chatId);
  const state = await readSaleState(db, { ...input, requestId: "", unitIds });
  checkHoldState(input, state);
  const customerId = state.customer?.id ?? null;
  const lines = pieces.map(({ unitId, productId, quantity }) => {
    const unit = state.products.get(unitId);
    const name = unit ? heldName(unit, linesOf(input, unitId)) : "";
    return { unitId, productId: productId ?? unit?.productId ?? unitId, quantity, name };
  });
  const chatId = state.chat?.id ?? null;
  const hold = {
    id,
    chatId,
    customerId,
    until,
    requestHash,
    createdAt: now,
    createdBy: fullName(user),
    lines,
  };
  const stored = await writeOrExplain(
    () => insertHold(db, hold, state.customer),
    () => explainRefusal(context, hold, input),
  );
  return shown(context, stored);
}

function checkHoldState(input: HoldRequest, { chat, customer }: Pick<SaleState, "chat" | "customer">): void {
  if (input.chatId && !chat) throw new AppError("notFound", "Chat not found");
  if (input.customerId && !customer) throw new AppError("notFound", "Customer not found");
  if (customer) rejectErased(customer);
}

/**
 * Explains a refused batch by what is stored now.
 *
 * @returns the hold, if a concurrent attempt of the same request has stored it; undefined when the reason is gone
 * @throws AppError with the reason
 */
async function explainRefusal(
  context: StaffContext,
  { id, requestHash }: Pick<StoredHold, "id" | "requestHash">,
  input: HoldRequest,
): Promise<StoredHold | undefined> {
  const stored = await findHold(context.db, id);
  if (stored) return repeatedAnswer(stored, { requestHash }, "Another hold was placed with this id.");
  checkHoldState(input, await readSaleState(context.db, { ...input, requestId: "", unitIds: [] }));
  const details = await holdProblems(context, { lines: input.lines });
  if (details.length > 0) throw lineConflict(details);
  return undefined;
}

type Line = HoldRequest["lines"][number];
interface Piece extends Pick<Line, "productId" | "quantity"> {
  unitId: string;
}

const linesOf = ({ lines }: HoldRequest, id: string) => lines.filter((line) => unitIdOf(line) === id);

/** Appends what was chosen of a product to its name: `Key tag (Walnut)`, `Key tag (2 × Walnut; 1 × Oak)`. */
function heldName({ productName: name, name: unitName, choice }: SoldProduct, lines: Line[]): string {
  const isChosen = (text: string) => text.startsWith(`${name} (`) && text.endsWith(")");
  const choices = lines.flatMap(({ description, quantity }) => {
    const said = isChosen(description) ? description.slice(name.length + 2, -1) : description;
    if (said === "" || said === name || said === choice) return [];
    return [{ text: said.startsWith(choice) ? said : `${choice}, ${said}`, quantity }];
  });
  if (choices.length === 0) return unitName;
  const [{ text } = { text: "" }] = choices;
  const isSame = choices.length === lines.length && choices.every((choice) => choice.text === text);
  const each = choices.map((choice) => `${choice.quantity} × ${choice.text}`).join("; ");
  return fittingDescription(`${name} (${isSame ? text : each})`);
}

function addedUp(lines: Line[]): Piece[] {
  const units = Map.groupBy(lines, (line) => unitIdOf(line) ?? "");
  return [...units].map(([unitId, [first, ...others]]) => ({
    unitId,
    productId: first?.productId,
    quantity: others.reduce((sum, { quantity }) => sum + quantity, first?.quantity ?? 0),
  }));
}

/** Lists the lines that can't be set aside, with the reason. */
export async function holdProblems(context: StaffContext, request: LinesRequest): Promise<ErrorDetail[]> {
  const products = await productsOf(context, request);
  const missing = missingUnits(request.lines, products).map((line) => ({ ...line, description: "" }));
  const gone = await explainMissing(context, missing, products, "was deleted.");
  return [...(await shortages(context, request, products)), ...gone];
}

const MAX_ITEMS = 900;
const items = ({ lines }: StoredHold) =>
  lines
    .map(({ name, quantity }) => `${quantity} × ${name}`)
    .join(", ")
    .slice(0, MAX_ITEMS);

/** Returns the end of a hold and its items, as its card says them. */
const factsOf = ({ now, settings }: StaffContext, hold: StoredHold) =>
  [formatKeptUntil(hold.until, now, settings), items(hold)] as const;

/** Shows a hold in its chat. */
async function shown(context: StaffContext, hold: StoredHold): Promise<StoredHold> {
  const card = { type: "hold", holdId: hold.id } as const;
  await postCard(context, hold.chatId, hold.id, card, ...factsOf(context, hold));
  return hold;
}

const noHold = () => new AppError("notFound", "Hold not found");
const ended = () => new AppError("conflict", "This hold has ended.");

/** Extends or shortens an active hold. @throws AppError notFound; conflict once it has ended */
export const extendHold = operation({
  route: "PATCH hold/:id",
  summary: "Extend a hold",
  answer: Hold,
  errors: [409],
  access: "staff",
  input: HoldChange,
  async run({ input, ...context }) {
    const { db, now, settings } = context;
    const until = endOf("until", input.until, now, settings.timezone);
    const hold = await changeHold(db, input.id, { until });
    if (!hold) throw (await findHold(db, input.id)) ? ended() : noHold();
    await postDecision(context, hold.chatId, {
      id: `hold-${hold.id}-${hold.until}`,
      message: CARDS.hold.sentence(...factsOf(context, hold)),
      isNotice: true,
    });
    return apiHold(hold, now);
  },
});

/**
 * Releases a hold: staff any, a visitor those of their chats. Releasing twice is once.
 *
 * @throws AppError notFound, also for another visitor's hold; conflict when it was sold
 */
export const releaseHold = operation({
  route: "DELETE hold/:id",
  summary: "Release a hold",
  answer: Hold,
  errors: [401, 403, 409],
  access: "anyone",
  input: PathId,
  ahead({ input, db }) {
    expectCard({ db }, input.id);
    return findHold(db, input.id);
  },
  async run({ input: _, ahead, ...context }) {
    const { hold, role } = await requireHold(context, await ahead);
    const changed = await changeHold(context.db, hold.id, { state: "released" });
    const current = changed ?? (await findHold(context.db, hold.id)) ?? hold;
    if (current.state !== "released") throw new AppError("conflict", "This hold was sold already.");
    // Also for a repeated request, in case the first one ended before; the chat has the message once.
    await postDecision({ ...context, user: role === "staff" ? context.user : null }, hold.chatId, {
      id: `hold-${hold.id}-released`,
      message: `${role === "staff" ? "No longer set aside" : "I don't need these any more"}: ${items(hold)}`,
      isNotice: true,
    });
    return apiHold(current, context.now);
  },
});

/** Requires a hold that the caller may see. @throws AppError notFound */
async function requireHold(context: RequestContext, hold: StoredHold | undefined) {
  const identity = hold?.chatId ? await chatIdentity(context, hold.chatId) : await staffIdentity(context);
  if (!hold || !identity) throw noHold();
  return { hold, role: identity.role };
}

/** Lines of one step. */
const STEP_LINES = 1000;

/**
 * Takes ended holds out of `products.held`, which keeps reading it cheap; no figure changes. Runs every 15 minutes, and at
 * night to the end.
 */
export async function settleHolds(env: Env): Promise<NextStep | undefined> {
  const settled = await settleEndedHolds(openDb(env.DB).db, STEP_LINES);
  return settled < STEP_LINES ? undefined : new NextStep("next");
}
