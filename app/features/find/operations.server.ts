import { z } from "zod";
import { searchKey, wordsOf } from "~/db/text";
import { formatNearDay } from "~/domain/day-text";
import { localDay } from "~/domain/days";
import { businessName, expenseTypeName } from "~/domain/enums";
import { unitName } from "~/domain/unit-name";
import { CodeInput } from "~/features/catalogue/codes";
import {
  findUnitsByBeginning,
  findUnitsByCode,
  findUnitsByName,
  type UnitRow,
} from "~/features/catalogue/codes.queries.server";
import { consoleUrl } from "~/features/chat/console-params";
import { searchChats } from "~/features/chat/list.queries.server";
import { settingsAt } from "~/features/chat/operations/settings.server";
import { findSettings } from "~/features/chat/queries.server";
import { visitorLabel } from "~/features/chat/visitor-label";
import { stockOf } from "~/features/inventory/list-params";
import { depositReceiptPath, depositTitle } from "~/features/sales/deposit";
import { customerReads } from "~/features/sales/queries/customer-list.server";
import { CUSTOMER_COLUMNS, type CustomerRow } from "~/features/sales/queries/customers.server";
import { findNumberedDeposits, type StoredDeposit } from "~/features/sales/queries/deposits.server";
import { CUSTOMERS_PATH, customerPath, DOCUMENTS_PATH, documentPath } from "~/features/sales/urls";
import { imageUrl } from "~/features/storage/schema";
import { Dollars, Id } from "~/http/answers";
import { optionalText, requiredText } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import { type CurrentUser, isManaging } from "~/session/caller.server";
import { formatRecentDate } from "~/ui/format";
import { FIND_PATH, type Group, type Hit, KINDS, type Kind, MAX_FIND } from "./hits";
import { ACTS, PAGES, type Place } from "./places";
import { findDocuments, findExpenses, findNamed } from "./queries.server";

/** Hits of a group. */
const MAX_HITS = 5;
/** One more tells that there are others. */
const READ = MAX_HITS + 1;
/** Latest chats and customers among which a search looks; it bounds the rows read. */
const MAX_MATCHES = 8;
const PICTURE_WIDTH = 96;

const Found = z
  .object({
    groups: z.array(
      z.object({
        kind: z.enum(KINDS),
        hits: z.array(
          z.object({
            id: Id,
            title: z.string().meta({ examples: ["E-2026-000124 · Ines Carvalho"] }),
            text: z.string(),
            amount: Dollars.nullable(),
            path: z.string().meta({
              description: "Page of the back office, or a receipt",
              examples: ["/admin/documents/4f2a"],
            }),
          }),
        ),
        more: z
          .string()
          .nullable()
          .meta({
            description: "Path of the list of all, where there are more",
            examples: ["/admin/documents?q=lamp"],
          }),
      }),
    ),
  })
  .meta({ id: "Found", description: "Groups that have hits, at most 5 of each" });

/** Searches chats, customers, documents, products and units, expenses, settings and acts. */
export const findAnything = operation({
  route: "GET search",
  summary: "Find anything",
  answer: Found,
  access: "staff",
  input: z.object({ q: requiredText("Name what to find", MAX_FIND) }),
  async run({ input, ...context }) {
    const groups = await findGroups(context, input.q);
    return {
      groups: groups.map(({ kind, hits, more }) => ({
        ...{ kind, more },
        hits: hits.map(({ id, title, text, cents, to }) => ({
          ...{ id, title, text, path: to },
          amount: cents === undefined ? null : cents / 100,
        })),
      })),
    };
  },
});

/** Reads the page of a search, and what the dialog shows; without a text the acts. */
export const readFindPage = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const text = new URL(input.url).searchParams.get("q") ?? "";
    const q = optionalText(MAX_FIND).safeParse(text.slice(0, MAX_FIND)).data ?? "";
    return {
      heading: { title: "Find anything", text: "By name, number, amount, SKU, barcode or words" },
      q,
      groups: await findGroups(context, q),
      failure: null,
    };
  },
});

async function findGroups(context: StaffContext, q: string): Promise<Group[]> {
  const { db, user } = context;
  // Among the first ones, which are offered without a text.
  const isOnline = resultOrNull(findSettings(db)).then(
    (row) => settingsAt(row, context.settings, context.now).isOnline,
  );
  const acts = isOnline.then((is) => openTo(user, ACTS.toSpliced(MAX_HITS - 1, 0, presence(is))));
  if (!q) return grouped({ acts: placeHits(await acts, "").slice(0, MAX_HITS) }, q);
  const reads = { sort: "lastSeen", maxMatches: MAX_MATCHES, q } as const;
  const window = { limit: READ, offset: 0, dir: "desc" } as const;
  const [[coded, named], products, customers, documents, chats, expenses, found] = await Promise.all([
    findUnits(context, q),
    resultOrNull(findNamed(db, q, READ)),
    resultOrNull(customerReads<CustomerRow>(db, reads, CUSTOMER_COLUMNS).rows(window, null)),
    documentHits(context, q),
    resultOrNull(searchChats(db, { q, maxMatches: MAX_MATCHES, userId: user.id, limit: READ, offset: 0 })),
    isManaging(user) ? resultOrNull(findExpenses(db, q, READ)) : [],
    acts,
  ]);
  const isCoded = new Set(coded.map(({ productId }) => productId));
  return grouped(
    {
      acts: placeHits(found, q),
      products: [
        ...coded.map(unitHit),
        ...(products ?? []).filter(({ id }) => !isCoded.has(id)).map(productHit),
        ...named.map(unitHit),
      ],
      customers: (customers ?? []).map(customerHit),
      documents,
      chats: (chats?.rows ?? []).map((one) => chatHit(one, context)),
      expenses: (expenses ?? []).map((one) => expenseHit(one, context)),
      pages: placeHits(openTo(user, PAGES), q),
    },
    q,
  );
}

/** Characters from which a text may be the beginning of a code. */
const MIN_CODE_PART = 3;

/** Finds the units that have a code, or one that begins so, and others by the words of product and choice. */
async function findUnits({ db }: StaffContext, q: string): Promise<[coded: UnitRow[], named: UnitRow[]]> {
  const { data } = CodeInput.safeParse({ code: q });
  const code = data?.code ?? "";
  const words = wordsOf(searchKey(q));
  const isPart = code.length >= MIN_CODE_PART && !/\s/.test(code);
  const [exact, begun, named] = await Promise.all([
    code ? resultOrNull(findUnitsByCode(db, code)) : [],
    isPart ? resultOrNull(findUnitsByBeginning(db, code)) : [],
    words.length > 0 ? resultOrNull(findUnitsByName(db, words)) : [],
  ]);
  const coded = exact?.length ? exact : (begun ?? []);
  const isCoded = new Set(coded.map(({ unitId }) => unitId));
  return [coded, (named ?? []).filter(({ unitId }) => !isCoded.has(unitId))];
}

/** Finds deposits, by the beginning of their number, and documents. */
async function documentHits(context: StaffContext, q: string): Promise<Hit[]> {
  const { db } = context;
  const [deposits, documents] = await Promise.all([
    resultOrNull(findNumberedDeposits(db, q, READ)),
    resultOrNull(findDocuments(db, q, READ)),
  ]);
  return [
    ...(deposits ?? []).map((one) => depositHit(one, context)),
    ...(documents ?? []).map((one) => documentHit(one, context)),
  ];
}

/** Picks the places that a member of staff may open. */
const openTo = (user: CurrentUser, places: Place[]): Place[] =>
  places.filter(({ role }) => user.isAdmin || !role || (role === "manager" && isManaging(user)));

/** Lists of all that a search finds, by kind. */
const LISTS: Partial<Record<Kind, string>> = {
  products: "/admin/products-management",
  customers: CUSTOMERS_PATH,
  documents: DOCUMENTS_PATH,
  chats: consoleUrl(),
  expenses: "/admin/expenses-management",
};

/** Builds the groups that have hits, in their order. */
function grouped(hits: Partial<Record<Kind, Hit[]>>, q: string): Group[] {
  return KINDS.flatMap((kind) => {
    const all = hits[kind] ?? [];
    const list = LISTS[kind];
    if (all.length === 0) return [];
    const more = all.length > MAX_HITS && list ? `${list}?${new URLSearchParams({ q })}` : null;
    return [{ kind, hits: all.slice(0, MAX_HITS), more }];
  });
}

/** Act that switches the chat's status. */
const presence = (isOnline: boolean): Place => ({
  title: isOnline ? "Go offline" : "Go online",
  text: isOnline ? "Visitors read that you are away" : "Visitors read that you are there",
  to: FIND_PATH,
  form: { intent: "presence", isOnline: !isOnline },
  icon: isOnline ? "moon" : "sun",
  words: "away status chat presence",
  role: "manager",
});

/** Finds acts or pages that have a word beginning with each word of a text. */
function placeHits(places: Place[], q: string): Hit[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return places.flatMap(({ words: more = "", role: _, ...place }) => {
    const own = `${place.title} ${place.text} ${more}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    const isFound = words.every((word) => own.some((one) => one.startsWith(word)));
    return isFound ? [{ ...place, id: place.title }] : [];
  });
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(" · ");

const unitHit = ({
  unitId,
  productId,
  name,
  values,
  sku,
  barcode,
  available,
  priceCents,
  image,
}: UnitRow): Hit => ({
  id: unitId,
  title: unitName(name, values),
  text: joined(sku && `SKU ${sku}`, barcode, `${available} free`),
  to: stockOf({ unitId, productId, name }),
  icon: "scan-barcode",
  ...(image && { image: imageUrl(image, PICTURE_WIDTH) }),
  cents: priceCents,
});

type Rows<T extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<T>>[number];

const productHit = ({
  id,
  name,
  sku,
  available,
  isHidden,
  priceCents,
  image,
}: Rows<typeof findNamed>): Hit => ({
  id,
  title: name,
  text: joined(sku && `SKU ${sku}`, `${available} free`, isHidden ? "hidden" : ""),
  to: `/admin/products-management?${new URLSearchParams({ edit: id })}`,
  icon: "tag",
  ...(image && { image: imageUrl(image, PICTURE_WIDTH) }),
  cents: priceCents,
});

const customerHit = ({ id, name, email, phoneNumber, sales, totalCents }: CustomerRow): Hit => ({
  id,
  title: name,
  text: joined(email, phoneNumber, sales === 1 ? "1 sale" : `${sales} sales`),
  to: customerPath(id),
  icon: "contact",
  cents: totalCents,
});

function documentHit(found: Rows<typeof findDocuments>, { now, settings }: StaffContext): Hit {
  const { id, number, customerName, items, day, totalCents } = found;
  return {
    id,
    title: joined(number, customerName || "Counter"),
    text: joined(items ?? "", dayText(day, now, settings.timezone)),
    to: documentPath(id),
    icon: "receipt-text",
    cents: totalCents,
  };
}

/** Leads to the receipt, which has the quote. */
function depositHit(deposit: StoredDeposit, { now, settings }: StaffContext): Hit {
  const { id, number, customerName, title, createdAt, amountCents } = deposit;
  return {
    id,
    title: joined(number, customerName),
    text: joined(
      depositTitle(deposit),
      title ?? "",
      dayText(localDay(createdAt, settings.timezone), now, settings.timezone),
    ),
    to: depositReceiptPath(id),
    icon: "receipt-text",
    cents: amountCents,
  };
}

const dayText = (day: string, now: number, timezone: string) => formatNearDay(day, localDay(now, timezone));

type FoundChat = Awaited<ReturnType<typeof searchChats>>["rows"][number];

function chatHit(chat: FoundChat, { now, settings: { timezone } }: StaffContext): Hit {
  const { id, userName, createdAt, lastMessage, lastMessageAt, found, isNote } = chat;
  return {
    id,
    title: visitorLabel({ chatId: id, name: userName, began: createdAt }, timezone),
    text: `${found && isNote ? "Note: " : ""}“${found ?? lastMessage}”`,
    to: consoleUrl({ chat: id }),
    icon: "message-square-text",
    time: formatRecentDate(lastMessageAt / 1000, timezone, localDay(now, timezone)),
  };
}

function expenseHit(found: Rows<typeof findExpenses>, { now, settings }: StaffContext): Hit {
  const { id, description, businessType, expenseType, amountCents, day } = found;
  const kind = `${businessName(businessType, settings.businesses)}, ${expenseTypeName(expenseType)}`;
  return {
    id,
    title: description,
    text: joined(kind, dayText(day, now, settings.timezone)),
    to: `/admin/expenses-management?${new URLSearchParams({ edit: id })}`,
    icon: "wallet",
    cents: amountCents,
  };
}
