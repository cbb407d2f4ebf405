import { CATEGORIES } from "~/domain/categories";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "~/domain/enums";
import { expenses, invoices } from "~/features/ledger/operations/kinds.server";
import type { RequestContext } from "~/http/request-context.server";
import { seededRandom } from "../../scripts/seed/random";

/** Expected entry; `at` is epoch seconds. */
interface ExpectedEntry {
  id: string;
  fields: Record<string, unknown> & { amount: number; at: number };
}

/** Expected entries of the ledger. */
export interface ExpectedLedger {
  invoice: Map<string, ExpectedEntry>;
  expense: Map<string, ExpectedEntry>;
}
export type Kind = keyof ExpectedLedger;

const OPERATIONS = {
  invoice: invoices,
  expense: expenses,
};
const NOUNS = ["walnut", "board", "case", "Étui", "key", "fob", "lamp", "parcel", "OAK", "hub"];

/** Draws random fields. */
function randomFields(kind: Kind, random: () => number, now: number): ExpectedEntry["fields"] {
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const common = {
    description: `${pick(NOUNS)} ${pick(NOUNS)} ${pick(NOUNS)}`,
    businessType: pick(BUSINESSES),
    amount: (1 + Math.floor(random() * 50_000)) / 100,
    // Within 13 months, at any second: many near midnight of one zone or the other.
    at: now - Math.floor(random() ** 3 * 400 * 86_400),
  };
  if (kind === "expense") return { ...common, expenseType: pick(EXPENSE_TYPES) };
  const quantity = 1 + Math.floor(random() * 9);
  return { ...common, category: pick(CATEGORIES), paymentMode: pick(PAYMENT_MODES), quantity };
}

/** Converts fields to request input. */
function requestFields({ at, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return at === undefined ? rest : { ...rest, createdAt: { seconds: at } };
}

/**
 * Adds, edits, deletes and restores entries at random with a fixed seed.
 *
 * @returns the expected ledger
 */
export async function runRandomActions(
  context: () => RequestContext,
  actionCount: number,
): Promise<ExpectedLedger> {
  const random = seededRandom(4);
  const ledger: ExpectedLedger = { invoice: new Map(), expense: new Map() };
  const deleted: { kind: Kind; entry: ExpectedEntry }[] = [];
  const fields = (kind: Kind) => randomFields(kind, random, context().now);
  const anyOf = <T>(of: T[]) => of[Math.floor(random() * of.length)];

  const add = async (kind: Kind) => {
    const known = fields(kind);
    const { id } = await OPERATIONS[kind].add.execute(context(), requestFields(known));
    ledger[kind].set(id, { id, fields: known });
  };
  const edit = async (kind: Kind, entry: ExpectedEntry) => {
    const some = Object.fromEntries(Object.entries(fields(kind)).filter(() => random() < 0.4));
    await OPERATIONS[kind].update.execute(context(), { ...requestFields(some), id: entry.id });
    Object.assign(entry.fields, some);
  };
  const remove = async (kind: Kind, entry: ExpectedEntry) => {
    await OPERATIONS[kind].delete.execute(context(), { id: entry.id });
    ledger[kind].delete(entry.id);
    deleted.push({ kind, entry });
  };
  const restore = async () => {
    const [last] = deleted.splice(Math.floor(random() * deleted.length), 1);
    if (!last) return;
    await OPERATIONS[last.kind].restore.execute(context(), { id: last.entry.id });
    ledger[last.kind].set(last.entry.id, last.entry);
  };

  for (let i = 0; i < actionCount; i++) {
    const kind: Kind = random() < 0.6 ? "invoice" : "expense";
    const entry = anyOf([...ledger[kind].values()]);
    const dice = random();
    if (!entry || dice < 0.5) await add(kind);
    else if (dice < 0.75) await edit(kind, entry);
    else if (dice < 0.9) await remove(kind, entry);
    else await restore();
  }
  return ledger;
}
