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
import type { CurrentUser } from "~/session/caller.server";
import { isLinkKey, randomToken, sha256 } from "~/session/tokens.server";
import { mailConfirmation } from "./mails.server";
import {
  confirmRequest,
  countWaiting,
  endOwnRequest,
  endRequests,
  findLinked,
  isProvenAddress,
  type LinkedRequest,
  MAX_REQUESTS,
  type NewRequest,
  type StoredRequest,
  storeRequest,
} from "./queries.server";
import { OneClickLink, RestockBody, RestockInput, RestockLink } from "./schema";

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
    const choice = choiceText(
      stored ? (JSON.parse(stored.values) as string[]) : await requireSoldOut(context, input),
    );
    const isKnown = await isKnownAsker(context, asker, stored);
    if (isKnown && !stored) throw new AppError("conflict", `You wait for ${MAX_REQUESTS} things already.`);
    if (stored?.mayMail) mailLater(context, asker.email, stored);
    return {
      message: isKnown
        ? waits(choice)
        : `Check your mail: press the button there, and we will tell you once ${choice || "it"} is back.`,
    };
  },
});

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

/** Explains why nobody can wait for a unit. @returns its values @throws AppError unless it is sold out */
async function requireSoldOut(
  { db }: RequestContext,
  { id: productId, unitId, color }: RestockInput,
): Promise<string[]> {
  const [product] = await findStaffProducts(db, [productId]);
  if (!product || product.isHidden) throw new AppError("notFound", "Product not found");
  const { available, values } = namedUnit(product, unitId, color);
  if (available > 0) throw new AppError("conflict", "It can be bought again. Open its page anew.");
  return values;
}

function namedUnit(product: StaffProduct, unitId: string | undefined, color: string | null) {
  const { id: productId, options, units, stock } = product;
  if (options.length === 0) {
    if (unitId !== undefined && unitId !== productId) throw noSuchUnit();
    return { available: stock, values: [] };
  }
  const chosen = unitId ?? soldUnit(product, color)?.unitId;
  const unit = units.find((one) => one.id === chosen);
  if (unit) return unit;
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
export interface RestockPage {
  name: string;
  path: string;
  /** "ended" where others of the address have not. */
  state: "unconfirmed" | "waiting" | "notified" | "ended";
  isAvailable: boolean;
  /** Number of things that the address waits for. */
  waiting: number;
}

/**
 * Reads the request of a mailed link. Opening the link changes nothing: mail programs open links by themselves.
 *
 * @returns null for a link that is not valid or whose request has ended
 */
export const readRestock = operation({
  access: "anyone",
  input: RestockLink,
  async run({ input, ...context }): Promise<RestockPage | null> {
    const found = (await isLink(context, input)) ? await linked(context, input.restock) : undefined;
    return found ? pageOf(found) : null;
  },
});

const linked = ({ db, now }: RequestContext, requestId: string) => findLinked(db, requestId, now);

const isLink = ({ env, now }: RequestContext, { restock, key }: z.infer<typeof RestockLink>) =>
  isLinkKey(env.COOKIE_SECRET, "restock", restock, key, now);

function pageOf(found: LinkedRequest): RestockPage {
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

function stateOf({ isOwn, isNotified, isConfirmed }: LinkedRequest): RestockPage["state"] {
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
    if (!(await isLink(context, input)) || !(await confirmRequest(context.db, request))) throw invalidLink();
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

/** Ends one request of the caller's account; another's, and one that is over, stay as they are. */
export const stopWaiting = operation({
  access: "customer",
  input: z.object({ id: RestockLink.shape.restock }),
  async run({ input: { id: requestId }, db, now, user }) {
    await endOwnRequest(db, { id: requestId, userId: user.id, now });
    return { message: "You no longer wait for it." };
  },
});

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
