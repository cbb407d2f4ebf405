import { formatDay } from "~/domain/day-text";
import { type Business, type BusinessNames, businessName } from "~/domain/enums";
import { grouped } from "~/domain/grouped";
import { dollars } from "~/domain/money";
import { NONE, partsOf, type UnitChange } from "~/domain/unit-changes";
import type { ShopSettings } from "~/http/shop-settings.server";
import type { RecordField } from "~/records/fields";
import type { Fields } from "~/records/record";
import { formatDateTime } from "~/ui/format";
import type { AuditRow } from "./queries.server";

/** Recorded value; null for none. */
type Value = string | number | boolean | null | Value[];

/** Field of a row: its values before and after, or neither where only the change is recorded. */
export interface FieldChange {
  name: string;
  label: string;
  before: string | null;
  after: string | null;
  isFact: boolean;
}

const OBJECTS: Record<string, string> = {
  apiKey: "API key",
  auditLog: "audit log",
  chat: "chat",
  chatSettings: "chat settings",
  closing: "books of",
  customer: "customer",
  document: "sale",
  expense: "expense",
  hold: "hold",
  import: "import",
  invitation: "invitation",
  invoice: "invoice",
  product: "product",
  quote: "quote",
  receipt: "receipt",
  response: "quick response",
  searchWord: "words of the search",
  shopSettings: "settings",
  taxSettings: "tax settings",
  user: "user",
  webhook: "webhook",
};

/** Actions whose words are not their name. */
const ACTIONS: Record<string, string> = {
  signedIn: "Signed in",
  placed: "Set aside",
  deletionPlanned: "Planned to delete",
  deletionCancelled: "Kept, no longer to be deleted:",
  downloaded: "Downloaded all data of",
  erased: "Deleted all data of",
  depositTaken: "Took a deposit on",
  depositPaidBack: "Paid back a deposit on",
  factorTurnedOn: "Turned on the second factor of",
  factorTurnedOff: "Turned off the second factor of",
  factorReset: "Reset the second factor of",
  factorLocked: "Refused codes after 20 wrong ones of",
  recoveryCodesMade: "Made new recovery codes of",
  recoveryCodeUsed: "Used a recovery code of",
  madeReady: "Finished the work of",
  madeUnready: "Took up again the work of",
  noteWritten: "Wrote a note in the",
  noteChanged: "Changed a note in the",
  noteTakenBack: "Took back a note in the",
};

export const actionLabel = (action: string): string =>
  ACTIONS[action] ?? action.charAt(0).toUpperCase() + action.slice(1);

export const objectKind = (object: string): string => OBJECTS[object] ?? object;

export function objectNoun({ object, action }: Pick<AuditRow, "object" | "action">): string {
  if (action === "credited") return "with";
  if (action === "placed") return "for";
  return action === "signedIn" ? "" : objectKind(object);
}

/** Objects whose id alone names them. */
const FIXED_OBJECTS = ["auditLog", "chatSettings", "closing", "searchWord", "shopSettings", "taxSettings"];
/** Objects of a business, which its name alone names. */
const OF_BUSINESS = ["closing", "taxSettings"];
const FIXED: Record<string, string> = {
  audit: "Rows of more than two years ago",
  chat: "Online status and messages",
  shop: "Shop",
  hours: "Hours",
  home: "Home page",
  sales: "Sales",
};

/** Returns the name that a gone object had; null where the shop keeps none. */
function formerName({ formerName, changes }: AuditRow): string | null {
  const { name, address } = parse(changes);
  const stored = name ?? address;
  const recorded = Array.isArray(stored) ? (stored[0] ?? stored[1]) : null;
  return formerName ?? (typeof recorded === "string" ? recorded : null);
}

/** Returns what the object is called now, or was: `Walnut board (deleted)`. @param businessNames names of the shop's settings */
export function objectLabel(row: AuditRow, businessNames: BusinessNames): string {
  const { object, objectId, objectName, action } = row;
  if (objectName) return objectName;
  if (OF_BUSINESS.includes(object)) return businessName(objectId as Business, businessNames);
  if (FIXED_OBJECTS.includes(object)) return FIXED[objectId] ?? objectId;
  const former = formerName(row);
  if (former !== null) return action === "deleted" ? former : `${former} (deleted)`;
  if (object === "user") return "Deleted account";
  if (object === "invitation") return "of a colleague";
  return object === "hold" ? "a counter customer" : `Deleted ${objectKind(object)}`;
}

const AUTHORS: Record<string, string> = {
  visitor: "Visitor",
  system: "System",
  import: "Import",
  key: "API key",
};

/** Objects that have words in place of a name. */
const NAMED_OTHERWISE = [...FIXED_OBJECTS, "invitation", "user", "hold"];

/** Tells that an object is gone and had no name that the shop keeps. */
export const isNameless = (row: AuditRow): boolean =>
  !row.objectName && !NAMED_OTHERWISE.includes(row.object) && formerName(row) === null;

/** Returns who made a change: the person, or what acted for them; of an API key also its owner. */
export function authorLabel({
  authorKind,
  authorName,
  sourceName,
}: Pick<AuditRow, "authorKind" | "authorName" | "sourceName">): string {
  if (authorKind === "key")
    return `API key${sourceName ? ` “${sourceName}”` : ""}, ${authorName ?? "a deleted account"}`;
  return AUTHORS[authorKind] ?? authorName ?? "Deleted account";
}

/** Labels of changes without a field of a record, where they differ from the change's name. */
const OTHER_LABELS: Record<string, string> = {
  amountCents: "Amount",
  assignee: "Looked after by",
  bothWays: "Both ways",
  closedUntil: "Closed up to",
  disabledAt: "State",
  original: "Of sale",
  passwordHash: "Password",
  taxCents: "Tax",
  through: "Up to row",
  taxIncluded: "Prices include tax",
  totalCents: "Total",
  units: "Options and units",
};

function otherLabel(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return OTHER_LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Ids that mean nothing to a reader. */
const IDS = new Set(["chat", "account", "merged", "owner", "hash", "noteId"]);

/** Names and settings of the shop that labels and values depend on. */
type Shop = Pick<ShopSettings, "businesses" | "timezone">;

/** Formats a value without a field of a record. */
function otherText(name: string, value: Value, timezone: string): string | null {
  if (Array.isArray(value)) return value.map((each) => otherText(name, each, timezone)).join(", ");
  if (name === "taxIncluded" || name === "bothWays") return value ? "yes" : "no";
  if (name.endsWith("Cents")) return dollars(Number(value));
  if (name === "closedUntil") return formatDay(String(value));
  if (name === "taxRate") return `${Number(value) / 100}%`;
  if (name === "until" || name === "validUntil" || name === "dueAt")
    return formatDateTime(Number(value), timezone);
  return typeof value === "number" ? grouped(value) : String(value);
}

/** Pieces by product, before and after. */
type Pieces = Record<string, [number | null, number]>;
type Changes = Record<string, true | [Value, Value] | Pieces | Record<string, UnitChange>>;
const parse = (changes: string) => JSON.parse(changes) as Changes;

/** Fields whose value is an id; the row shows its present name. */
const LINKS = new Set(["assignee", "customer", "original"]);

/**
 * Lists the changes of a row, with the labels and texts of its record.
 *
 * @param fields of the object's record, by column
 * @param products names of the products whose pieces moved, by id
 */
export function fieldChanges(
  row: Pick<AuditRow, "action" | "changes" | "linkedName" | "object">,
  fields: Fields,
  shop: Shop,
  products: ReadonlyMap<string, string> = new Map(),
): FieldChange[] {
  const isShown = ([name, change]: [string, Changes[string]]) =>
    !IDS.has(name) &&
    !((name === "name" || name === "address") && isCreation(change)) &&
    !(row.object === "document" && name === "number");
  return Object.entries(parse(row.changes))
    .filter(isShown)
    .flatMap(([name, change]): FieldChange[] => {
      const recorded = fields[name];
      const field = {
        name,
        label: recorded?.label ?? otherLabel(name),
        before: null,
        after: null,
        isFact: false,
      };
      if (change === true) return [{ ...field, isFact: true }];
      if (name === "units") return unitFields(change as Record<string, UnitChange>);
      if (!Array.isArray(change)) return pieces(change as Pieces, products);
      if (LINKS.has(name)) return [{ ...field, after: linkedLabel(row, change[1]) }];
      if (name === "disabledAt") return [{ ...field, ...stateChange(row.action, change, shop.timezone) }];
      return [{ ...field, ...formatChange(name, recorded, change, shop) }];
    });
}

/** Describes each part of the units that differs. */
const unitFields = (units: Record<string, UnitChange>): FieldChange[] =>
  Object.entries(units).flatMap(([id, change]) =>
    partsOf(change).map(({ label, from, to }) => ({
      ...{ name: `${id} ${label}`, label, isFact: false },
      before: from === NONE ? null : from,
      after: to === NONE ? null : to,
    })),
  );

const linkedLabel = ({ linkedName }: Pick<AuditRow, "linkedName">, after: Value) =>
  after === null ? "nobody" : (linkedName ?? "somebody");

function formatChange(
  name: string,
  field: RecordField | undefined,
  [before, after]: [Value, Value],
  shop: Shop,
) {
  const text = (value: Value) => {
    if (value === null || value === "") return null;
    return (field ? field.toText(value, shop.businesses) : otherText(name, value, shop.timezone)) || null;
  };
  const gone = before !== null && after === null ? "gone" : null;
  return { before: text(before), after: text(after) ?? gone };
}

/** Formats whether something was and is enabled. */
function stateChange(action: string, [before, after]: [Value, Value], timezone: string) {
  const state = (at: Value) => (at === null ? "Enabled" : `Disabled ${formatDateTime(Number(at), timezone)}`);
  return {
    before: action === "created" ? null : state(before),
    after: action === "deleted" ? "gone" : state(after),
  };
}

const isCreation = (change: Changes[string]) => Array.isArray(change) && change.includes(null);

/** Describes the pieces of products that a document moved or a hold set aside. */
function pieces(moves: Pieces, products: ReadonlyMap<string, string>): FieldChange[] {
  const all = Object.entries(moves);
  const named = all.filter(([id]) => products.has(id));
  if (named.length === 0 && all.length > 0)
    return [{ name: "pieces", label: "Products", before: null, after: grouped(all.length), isFact: false }];
  return all.map(([id, [before, after]]) => ({
    name: id,
    label: products.get(id) ?? "Deleted product",
    before: before === null ? null : grouped(before),
    after: grouped(after),
    isFact: false,
  }));
}

/** Writes a row's fields as one text. */
export function rowText(row: AuditRow, fields: Fields, shop: Shop): string {
  return fieldChanges(row, fields, shop)
    .map(({ label, before, after, isFact }) =>
      isFact ? `${label} changed` : `${label}: ${before === null ? "" : `${before} → `}${after ?? "none"}`,
    )
    .join("; ");
}

/** Returns the page of an object; null for what is gone or has none. */
export function objectPath({ object, objectId, objectName, chatId }: AuditRow): string | null {
  const id = encodeURIComponent(objectId);
  if (object === "chatSettings") return "/admin/settings?group=chat";
  if (object === "taxSettings") return "/admin/settings?group=sales";
  if (object === "searchWord") return "/admin/settings?group=search";
  if (object === "shopSettings") return `/admin/settings?group=${id}`;
  if (object === "closing") return "/admin/bookkeeping";
  if (!objectName) return null;
  if (object === "hold" || object === "quote")
    return chatId ? `/admin/chat?chat=${encodeURIComponent(chatId)}` : null;
  const paths: Record<string, string> = {
    chat: `/admin/chat?chat=${id}`,
    customer: `/admin/customers/${id}`,
    document: `/admin/documents/${id}`,
    expense: `/admin/expenses-management?edit=${id}`,
    invoice: `/admin/invoices-management?edit=${id}`,
    product: `/admin/products-management?edit=${id}`,
    response: `/admin/chat?tab=responses&edit=${id}`,
    user: `/admin/users-management?edit=${id}`,
  };
  return paths[object] ?? null;
}
