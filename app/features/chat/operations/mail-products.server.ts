import { type Db, openDb } from "~/db/client.server";
import { dollars } from "~/domain/money";
import { choiceText, unitName } from "~/domain/unit-name";
import { findSellableProducts, type SellableProduct } from "~/features/catalogue/queries.server";
import { choiceUrl } from "~/features/catalogue/unit-choice";
import type { MailBlock } from "~/http/mail.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import type { ChatMessage } from "../protocol";

/** Product after which a conversation is named, and the number of products that were asked for. */
export interface ChatSubject {
  subjectId: string | null;
  /** Choice that was made of it last. */
  subjectColor: string | null;
  subjectCount: number;
}

/** Products that the mails of a conversation name. */
export interface MailedProducts {
  /** Name of the product that it is about; "" for none, and for one that the shop no longer shows. */
  subject: string;
  /** Links to it with its price; none without it. */
  about: MailBlock[];
  /** Links to the products of a message's cards. */
  ofMessage: (message: Pick<ChatMessage, "cards">) => MailBlock[];
}

/** Reads the products that a conversation is about, and those of its messages. */
export async function readMailedProducts(
  db: Db,
  { url }: Pick<ShopSettings, "url">,
  { subjectId, subjectColor, subjectCount }: ChatSubject,
  messages: Pick<ChatMessage, "cards">[] = [],
): Promise<MailedProducts> {
  const ids = [...new Set([subjectId ?? "", ...messages.flatMap(cardIds)])].filter(Boolean);
  const found = ids.length > 0 ? await findSellableProducts(db, ids) : [];
  const products = new Map(found.map((product) => [product.id, product]));
  const subject = products.get(subjectId ?? "");
  const more = subjectCount > 1 ? `, and ${subjectCount - 1} more` : "";
  return {
    subject: subject?.name ?? "",
    about: subject ? [productLink(url, subject, subjectColor, more)] : [],
    ofMessage: (message) =>
      cardIds(message).flatMap((id) => {
        const product = id === subjectId ? undefined : products.get(id);
        return product ? [productLink(url, product, null)] : [];
      }),
  };
}

/** Reads the product that a chat is about, for all mails of a task. */
export const productsOfChat = async (env: Env, chat: ChatSubject): Promise<MailedProducts> =>
  readMailedProducts(openDb(env.DB).db, await settingsForTask(env), chat);

const cardIds = ({ cards = [] }: Pick<ChatMessage, "cards">): string[] =>
  cards.flatMap((card) => (card.type === "product" ? card.productId : []));

/** Links to a product, with its choice and price. */
function productLink(url: string, product: SellableProduct, choice: string | null, more = ""): MailBlock {
  const { id, name, options, units, priceCents, isFrom, ownPriceCents } = product;
  const hasUnits = options.length > 0;
  const unit = hasUnits ? units.find((one) => choiceText(one.values) === choice) : undefined;
  const values = unit?.values ?? [];
  const price = unit
    ? dollars(unit.priceCents ?? ownPriceCents)
    : `${isFrom ? "from " : ""}${dollars(priceCents)}`;
  const named = unitName(name, choice && (unit || !hasUnits) ? [choice] : []);
  return { label: `${named}, ${price}${more}`, href: url + choiceUrl(id, options, values) };
}
