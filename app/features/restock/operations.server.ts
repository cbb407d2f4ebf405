import { z } from "zod";
import { choiceText, unitName } from "~/domain/unit-name";
import { soldUnit } from "~/features/catalogue/product-views.server";
import { findStaffProducts, type StaffProduct } from "~/features/catalogue/queries.server";
import { choiceUrl } from "~/features/catalogue/unit-choice";
import { recordFailure } from "~/features/incidents/operations.server";
import { pushKeys, requirePoint } from "~/features/push/keys.server";
import { MessageAnswer } from "~/http/answers";
import { AppError, fieldError } from "~/http/errors";
import { emailKey, id } from "~/http/fields";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import type { CurrentUser } from "~/session/caller.server";
import { isLinkKey, randomToken, sha256 } from "~/session/tokens.server";
import { formatDate } from "~/ui/format";
import { deviceWaits, forgetWait, rememberWait } from "./device.server";
import { mailConfirmation } from "./mails.server";
import { endOwnRequest, findOwnRequests, type OwnRequest } from "./own.queries.server";
import {
  allowRequests,
  confirmRequest,
  countWaiting,
  endRequests,
  findLinked,
  findStopped,
  isProvenAddress,
  type LinkedRequest,
  MAX_REQUESTS,
  type NewRequest,
  type StoredRequest,
  storeRequest,
} from "./queries.server";
import { OneClickLink, RestockBody, RestockInput, RestockLink } from "./schema";
import { promiseText } from "./waiting-text";

/** Person who asks: an address or a browser, and the account that has it. */
type Asker = Pick<NewRequest, "email" | "party" | "userId" | "p256dh" | "auth" | "publicKey">;

/** Says that somebody is told. @param choice in words; "" for a product without options */
const waits = (choice: string) => `We will tell you once ${choice || "it"} is back.`;

/**
 * Notes that somebody waits for a sold-out unit. The answer is the same for every address, whether it is known or not.
 *
 * @throws AppError notFound (404); invalid (400) without an address; conflict (409) for a product with options whose unit is not
 * named, for a unit that can be bought, and for too much that a known person waits for
 */
export const requestRestock = operation({
  route: "POST product/:id/restock",
  summary: "Ask to be notified when a sold-out product or unit is back",
  answer: MessageAnswer,
  body: RestockBody,
  errors: [404, 409],
  access: "anyone",
  input: RestockInput,
  status: 201,
  hidesCost: true,
  limits: ({ env, input, address }) => [
    { limiter: env.LIMIT_FORGOT_ADDRESS, key: `restock:${address}` },
    ...(input.email ? [{ limiter: env.LIMIT_FORGOT_ACCOUNT, key: `restock:${emailKey(input.email)}` }] : []),
  ],
  async run({ input, ...context }) {
    const asker = await askerOf(context, input);
    const stored = await storeRequest(context.db, {
      ...{ ...asker, id: await newRequestId(asker), productId: input.id, now: context.now },
      ...{ unitId: input.unitId ?? null, choice: input.color ?? "" },
    });
    const unit = stored
      ? { unitId: stored.unitId, values: JSON.parse(stored.values) as string[] }
      : await requireSoldOut(context, input);
    const choice = choiceText(unit.values);
    const isKnown = await isKnownAsker(context, asker, stored);
    if (isKnown && !stored) throw new AppError("conflict", `You wait for ${MAX_REQUESTS} things already.`);
    if (stored?.mayMail) mailLater(context, asker.email, stored);
    if (!isKnown || asker.email === "") await remember(context, { ...asker, ...unit, stored });
    return {
      message: isKnown
        ? waits(choice)
        : `Check your mail: press the button there, and we will tell you once ${choice || "it"} is back.`,
    };
  },
});

/** Remembers in the browser what it has asked for: a request that was there before only where the browser has made that, too. */
async function remember(
  context: RequestContext,
  { email, unitId, stored }: Pick<Asker, "email"> & { unitId: string; stored: StoredRequest | null },
): Promise<void> {
  const own = (await deviceWaits(context)).map(({ request }) => request);
  const isOwn = stored !== null && (stored.isNew || email === "" || own.includes(stored.seq));
  await rememberWait(context, { unitId, since: context.now, email, request: isOwn ? stored.seq : 0 });
}

/** Creates the id of a request: links stay those of their address, so it begins with the hash of that. */
const newRequestId = async ({ party }: Asker) => `${await sha256(`restock:${party}`)}${randomToken()}`;

/** Tells an asker who has shown before that the address is theirs; others learn nothing from the answer. */
async function isKnownAsker(
  { db }: RequestContext,
  { email, party, userId }: Asker,
  stored: StoredRequest | null,
) {
  if (email === "") return true;
  if (userId === null) return false;
  return stored ? stored.isKnown : isProvenAddress(db, userId, party);
}

/** Mails the link that confirms a request, after the response. */
function mailLater(
  { env, waitUntil }: RequestContext,
  to: string,
  { id, name, values }: StoredRequest,
): void {
  const failure = { kind: "mail", place: "Link to confirm who waits for stock" } as const;
  const unit = unitName(name, JSON.parse(values) as string[]);
  const sending = mailConfirmation(env, { to, id, unit });
  waitUntil(sending.catch((error: unknown) => recordFailure(env, failure, error)));
}

/** Explains why nobody can wait for a unit. @returns its id and values @throws AppError unless it is sold out */
async function requireSoldOut(
  { db }: RequestContext,
  { id: productId, unitId, color }: RestockInput,
): Promise<{ unitId: string; values: string[] }> {
  const [product] = await findStaffProducts(db, [productId]);
  if (!product || product.isHidden) throw new AppError("notFound", "Product not found");
  const { available, ...unit } = namedUnit(product, unitId, color);
  if (available > 0) throw new AppError("conflict", "It can be bought again. Open its page anew.");
  return unit;
}

function namedUnit(product: StaffProduct, unitId: string | undefined, color: string | null) {
  const { id: productId, options, units, stock } = product;
  if (options.length === 0) {
    if (unitId !== undefined && unitId !== productId) throw noSuchUnit();
    return { available: stock, unitId: productId, values: [] };
  }
  const chosen = unitId ?? soldUnit(product, color)?.unitId;
  const unit = units.find((one) => one.id === chosen);
  if (unit) return { available: unit.available, unitId: unit.id, values: unit.values };
  if (unitId !== undefined) throw noSuchUnit();
  const choices = units.map(({ values }) => choiceText(values)).join(", ");
  throw fieldError("conflict", "unitId", `Name one of its choices: ${choices}`);
}

const noSuchUnit = () => new AppError("notFound", "The product has no such choice");

/** Determines who asks. @throws AppError invalid (400) for a visitor without an address */
async function askerOf(
  context: RequestContext & { user: CurrentUser | null },
  { email, endpoint, keys }: RestockInput,
): Promise<Asker> {
  const { user } = context;
  if (endpoint && keys) {
    await requirePoint(keys.p256dh);
    const { publicKey } = await pushKeys(context);
    return { email: "", party: endpoint, userId: user?.id ?? null, ...keys, publicKey };
  }
  const address = email ?? user?.email;
  if (!address) throw fieldError("invalid", "email", "Please enter your email address");
  const party = emailKey(address);
  const userId = user && emailKey(user.email) === party ? user.id : null;
  return { email: address, party, userId, p256dh: "", auth: "", publicKey: "" };
}

/** Mailed link's request, as its page shows it. */
export interface RestockRequestPage {
  name: string;
  path: string;
  /** "ended" where others of the address have not. */
  state: "unconfirmed" | "waiting" | "notified" | "ended";
  isAvailable: boolean;
  /** Number of things that the address waits for. */
  waiting: number;
}

/** Mailed link, as its page shows it: its request, or the day until which its address gets no such mails. */
export type RestockPage = RestockRequestPage | { stoppedUntil: string };

/**
 * Reads the request of a mailed link. Opening the link changes nothing: mail programs open links by themselves.
 *
 * @returns null for a link that is not valid or whose request has ended
 */
export const readRestock = operation({
  access: "anyone",
  input: RestockLink,
  async run({ input, ...context }): Promise<RestockPage | null> {
    if (!(await isLink(context, input))) return null;
    const { db, now } = context;
    const [found, stopped] = await Promise.all([
      findLinked(db, input.restock, now),
      findStopped(db, input.restock, now),
    ]);
    // The request of a message that was sent stays for a while.
    if (found && (stopped === null || found.waiting > 0)) return pageOf(found);
    const { timezone } = await shopSettings(context);
    return stopped === null ? null : { stoppedUntil: formatDate(stopped, timezone) };
  },
});

const isLink = ({ env, now }: RequestContext, { restock, key }: z.infer<typeof RestockLink>) =>
  isLinkKey(env.COOKIE_SECRET, "restock", restock, key, now);

function pageOf(found: LinkedRequest): RestockRequestPage {
  const values = JSON.parse(found.values) as string[];
  const options = JSON.parse(found.options) as StaffProduct["options"];
  return {
    name: unitName(found.name, values),
    path: choiceUrl(found.productId, options, values),
    state: stateOf(found),
    isAvailable: found.isOwn === 1 && found.available > 0,
    waiting: found.waiting,
  };
}

function stateOf({ isOwn, isNotified, isConfirmed }: LinkedRequest): RestockRequestPage["state"] {
  if (!isOwn) return "ended";
  if (isNotified) return "notified";
  return isConfirmed ? "waiting" : "unconfirmed";
}

/** Confirms the request of a mailed link. @throws AppError notFound for a link that is not valid any more */
export const confirmRestock = operation({
  access: "anyone",
  input: RestockLink,
  async run({ input, ...context }) {
    const request = { id: input.restock, userId: context.user?.id ?? null, now: context.now };
    const confirmed = (await isLink(context, input)) ? await confirmRequest(context.db, request) : undefined;
    if (!confirmed) throw invalidLink();
    const { seq, userId, isNotified, ...unit } = confirmed;
    if (userId === null && !isNotified)
      await rememberWait(context, { ...unit, since: context.now, request: seq });
    // The account says it from now on.
    else await forgetWait(context, { unitId: unit.unitId, request: seq });
    return { message: waits("") };
  },
});

/** Ends all requests of a mailed link's address, even when its own is over, and asks it for none anew for a while. @throws AppError notFound for a link that is not valid any more */
export const stopRestock = operation({
  access: "anyone",
  input: OneClickLink,
  async run({ input, ...context }) {
    if (!(await isLink(context, input))) throw invalidLink();
    await endRequests(context.db, input.restock, context.now);
    return { message: "You get no more of these mails." };
  },
});

/** Lets the address of a mailed link be asked again, which its owner has ended. @throws AppError notFound for a link that is not valid any more */
export const resumeRestock = operation({
  access: "anyone",
  input: RestockLink,
  async run({ input, ...context }) {
    if (!(await isLink(context, input))) throw invalidLink();
    await allowRequests(context.db, input.restock);
    return { message: "This address can get these mails again." };
  },
});

/** Ends one request of the caller's account or browser; another's, and one that is over, stay as they are. */
export const stopWaiting = operation({
  access: "anyone",
  input: z.object({ request: RestockLink.shape.restock }),
  async run({ input: { request: requestId }, user, ...context }) {
    const requests = (await deviceWaits(context)).map(({ request }) => request);
    const own = { id: requestId, userId: user?.id ?? null, requests, now: context.now };
    await forgetWait(context, { unitId: requestId, request: await endOwnRequest(context.db, own) });
    return { message: "You no longer wait for it." };
  },
});

/** Reader whose requests are read, and the product; null for all of them. */
interface OwnReader {
  productId: string | null;
  limit: number;
}

/** Reads what the caller's account and browser wait for, with the reading of the caller. */
export async function readOwnRequests(
  context: RequestContext,
  { productId, limit }: OwnReader,
): Promise<OwnRequest[]> {
  const { caller, cookies, db, now } = context;
  const account = await caller.account();
  const device = cookies.waits ? await deviceWaits(context) : [];
  return findOwnRequests(db, { account, device, productId, now, limit });
}

/** Selects the requests of the account that is signed in, and those of nobody's account: the browser's own. */
export const ownAmong = (requests: OwnRequest[], user: Pick<CurrentUser, "id"> | null): OwnRequest[] =>
  requests.filter(({ userId }) => userId === null || userId === user?.id);

/** Unit that the reader waits for, as its product's page says it. */
export interface OwnWait {
  id: string;
  /** In words; "" for a product without options. */
  choice: string;
  promise: string;
  isConfirmed: boolean;
}

/** Reads what the caller waits for of a product; undefined for nothing, which costs a page no byte. */
export async function productWaits(
  context: RequestContext,
  productId: string,
): Promise<OwnWait[] | undefined> {
  const requests = await readOwnRequests(context, { productId, limit: MAX_REQUESTS });
  if (requests.length === 0) return undefined;
  return ownAmong(requests, await context.caller.user()).map(({ id: requestId, values, ...request }) => ({
    id: requestId,
    choice: choiceText(JSON.parse(values) as string[]),
    promise: promiseText(request),
    isConfirmed: request.isConfirmed === 1,
  }));
}

const invalidLink = () => new AppError("notFound", "This link is not valid any more.");

/** Counts the people who wait for a product, for staff. */
export const readWaiting = operation({
  route: "GET product/:id/restock",
  summary: "Count the people who wait for a product",
  answer: z.object({ people: z.int().min(0) }),
  access: "staff",
  input: z.object({ id }),
  run: async ({ db, input }) => ({ people: await countWaiting(db, input.id) }),
});
