import { dollars } from "~/domain/money";
import { unitName } from "~/domain/unit-name";
import { choiceUrl } from "~/features/catalogue/unit-choice";
import { ownChats } from "~/features/chat/operations/access.server";
import { ownAmong as ownRequestsAmong, readOwnRequests } from "~/features/restock/operations.server";
import type { OwnRequest } from "~/features/restock/own.queries.server";
import { promiseText } from "~/features/restock/waiting-text";
import { operation } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { findPurchaseSources, findPurchases, type PurchaseSource } from "../queries/purchases.server";
import { depositRow, documentRow, holdRow, quoteRow, type Reader } from "./rows.server";
import type { AwaitedUnit, Purchase } from "./view";

/** Receipts of a page; more where several were issued in one second. */
const PAGE_RECEIPTS = 8;
/** Open quotes, holds, and units waited for that are listed. */
const MAX_OPEN = 8;
/** Units waited for by an account that are listed together. */
const MAX_AWAITED = 20;
/** Latest time of a receipt, epoch seconds. */
const END_OF_TIME = 253_402_300_799;

/** Purchases of the reader: of the conversations that this browser or the account may read, and of the account's customer. */
export const readPurchases = operation({
  access: "anyone",
  input: PageInput,
  // The client sends them in one round trip.
  ahead: ({ input, ...context }) =>
    Promise.all([
      showsAll(input.url) ? [] : sourcesBefore(context, timeIn(input.url)),
      readOwnRequests(context, { productId: null, limit: showsAll(input.url) ? MAX_AWAITED : MAX_OPEN + 1 }),
    ]),
  async run({ input, user, ahead, ...context }) {
    const before = timeIn(input.url);
    const [all, requests] = await ahead;
    const sources = await ownAmong(all, context);
    const [page, settings] = [receiptsPage(sources), await shopSettings(context)];
    const chats = new Set(sources.flatMap(({ chatId }) => chatId ?? []));
    const ids = (name: "quotes" | "holds") => [...new Set(sources.flatMap((source) => source[name]))];
    const isOfWaits = showsAll(input.url);
    const waits = ownRequestsAmong(requests, user);
    const earlier = isOfWaits ? undefined : waits.filter(({ userId }) => userId !== null)[MAX_OPEN];
    const isFirst = before === END_OF_TIME;
    const open = (name: "quotes" | "holds") => (isFirst ? ids(name).slice(0, MAX_OPEN) : []);
    const found = await findPurchases(context.db, {
      documents: page.receipts.flatMap(({ kind, id }) => (kind === "documents" ? id : [])),
      deposits: page.receipts.flatMap(({ kind, id }) => (kind === "deposits" ? id : [])),
      quotes: open("quotes"),
      holds: open("holds"),
    });
    const reader: Reader = { chats, now: context.now, settings };
    return {
      open: [
        ...found.quotes.map((quote) => quoteRow(quote, reader)),
        ...found.holds.map((hold) => holdRow(hold, reader)),
      ],
      awaited: isFirst ? waits.filter((wait) => wait !== earlier).map(awaitedUnit) : [],
      hasMoreAwaited: earlier !== undefined,
      receipts: receiptRows(found, reader),
      isFirst,
      isOfWaits,
      older: page.older,
      isSignedIn: user !== null,
    };
  },
});

/** Tells a page that lists everything that is waited for, and nothing else. */
const showsAll = (url: string) => new URL(url).searchParams.get("waits") === "all";

function awaitedUnit({ id, name, options, productId, ...request }: OwnRequest): AwaitedUnit {
  const values = JSON.parse(request.values) as string[];
  return {
    id,
    title: unitName(name, values),
    image: request.image,
    path: choiceUrl(productId, JSON.parse(options) as { name: string }[], values),
    amount: dollars(request.priceCents),
    isAvailable: request.available > 0,
    promise: promiseText(request),
  };
}

type Found = Awaited<ReturnType<typeof findPurchases>>;

function receiptRows({ documents, deposits }: Found, reader: Reader): Purchase[] {
  const rows = [
    ...documents.map((document) => ({ at: document.createdAt, row: documentRow(document, reader) })),
    ...deposits.map((deposit) => ({ at: deposit.createdAt, row: depositRow(deposit, reader) })),
  ];
  return rows.sort((a, b) => b.at - a.at).map(({ row }) => row);
}

/** Reads the time before which the receipts of a page's address were issued; the latest for none and for other text. */
function timeIn(url: string): number {
  const text = new URL(url).searchParams.get("before") ?? "";
  return /^\d{1,11}$/.test(text) ? Number(text) : END_OF_TIME;
}

/** Finds what the conversations of the browser and the account have bought, with the reading of the caller. */
async function sourcesBefore(context: RequestContext, before: number): Promise<PurchaseSource[]> {
  const { caller, cookies, db, now } = context;
  const account = await caller.account();
  void shopSettings(context);
  return findPurchaseSources(db, { chatIds: cookies.chats.map(({ id }) => id), account, before, now });
}

/** Selects the sources that are the reader's: a cookie may also name conversations of another account. */
async function ownAmong(sources: PurchaseSource[], context: RequestContext): Promise<PurchaseSource[]> {
  const [{ ids, userId }, user] = await Promise.all([ownChats(context), context.caller.user()]);
  const isOwn = ({ chatId, userId: owner }: PurchaseSource) =>
    chatId === null
      ? user !== null && owner === user.id
      : ids.includes(chatId) || (userId !== null && owner === userId);
  // A conversation of the account may be this browser's as well.
  return [...new Map(sources.filter(isOwn).map((source) => [source.chatId, source])).values()];
}

interface Receipt {
  kind: "documents" | "deposits";
  id: string;
  at: number;
}

/**
 * Selects the newest receipts of all sources, none left out between two of them.
 *
 * @returns also the time before which the next page's were issued; null for the last page
 */
function receiptsPage(sources: PurchaseSource[]): { receipts: Receipt[]; older: number | null } {
  const all = sources.flatMap(({ documents, deposits }): Receipt[] => [
    ...documents.map(([id, at]) => ({ kind: "documents" as const, id, at })),
    ...deposits.map(([id, at]) => ({ kind: "deposits" as const, id, at })),
  ]);
  const found = [...new Map(all.map((receipt) => [`${receipt.kind} ${receipt.id}`, receipt])).values()];
  found.sort((a, b) => b.at - a.at);
  const end = Math.max(0, ...sources.map(({ isCompleteAfter }) => isCompleteAfter));
  const complete = found.filter(({ at }) => at > end);
  const certain = complete.length > 0 ? complete : found.filter(({ at }) => at === end);
  const last = certain.slice(0, PAGE_RECEIPTS).at(-1)?.at;
  const receipts = certain.filter(({ at }) => last !== undefined && at >= last);
  const isLast = receipts.length === found.length && end === 0;
  return { receipts, older: isLast || last === undefined ? null : last };
}
