import { useLocation } from "@remix-run/react";
import { lazy, type MouseEvent, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { Category } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { SCARCE_STOCK } from "~/domain/stock-levels";
import { CartForm, ONCE, Stepper, selectOnRelease } from "~/features/cart/CartForm";
import { showPicture } from "~/features/catalogue/Gallery";
import { OptionFields } from "~/features/catalogue/OptionFields";
import type { ProductPageData } from "~/features/catalogue/operations/products.server";
import type { OfferedUnit } from "~/features/catalogue/unit-choice";
import { categoryUrl } from "~/features/catalogue/urls";
import { ASK_BUTTON, BUY_FORM, startChatInPanel, useWaitingAnswers } from "~/features/chat/open-chat";
import { FavouriteButton } from "~/features/favourites/FavouriteButton";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { PickupTerms } from "~/ui/PickupTerms";
import { PriceTag } from "~/ui/PriceTag";
import { popover, popoverTrigger } from "~/ui/popover";
import { FormKey, useSite } from "~/ui/site";
import { showToast } from "~/ui/Toasts";
import { savedOptions, useSavedOptions } from "./saved-options";

/** Characters of a name above which phones show it in smaller letters. */
const VERY_LONG_NAME = 50;

/** Product as its page loads it. */
export type ProductDetail = Omit<
  ProductPageData["product"],
  "descriptionHtml" | "colors" | "hasEngraving"
> & {
  category: Category;
  /** `Open today until 18:00. Prices include HST.` */
  terms: string;
};

/** Product with the price and stock of what is chosen of it. */
export interface ChosenProduct extends ProductDetail {
  /** Fields of its options, for a product with any. */
  fields?: ReactNode;
  /** Text of the choice, beside its stock. */
  note?: ReactNode;
  /** Its units, for the nearest ones where the chosen one is sold out. */
  units?: OfferedUnit[];
  /** Address with what is chosen, and the choice in words; null for one that is not made. */
  path?: string;
  choice?: string | null;
}

// Most products have no options.
const UnitChoice = lazy(() => import("./UnitChoice"));
// Most can be bought.
const SoldOut = lazy(() => import("~/features/restock/SoldOut"));

/** Price, options and buttons of a product. */
export function BuyBox({ product }: { product: ProductDetail }) {
  if (!product.choices.options) return <Purchase product={product} />;
  return (
    <Suspense>
      <UnitChoice product={product}>{(chosen) => <Purchase product={chosen} />}</UnitChoice>
    </Suspense>
  );
}

function Purchase({ product }: { product: ChosenProduct }) {
  const { id, name, category, priceCents, stock, path = `/products/${id}` } = product;
  return (
    <div className="purchase">
      <div className="purchase-head">
        <Link className="badge badge-line" to={categoryUrl(category)}>
          {categoryName(category)}
        </Link>
        <div>
          <ShareButton path={path} />
          <FavouriteButton id={id} name={name} className="icon-btn icon-btn-line" />
        </div>
      </div>
      <h1 className={name.length > VERY_LONG_NAME ? "long-name" : undefined}>{name}</h1>
      <div className="price-row">
        <PriceTag cents={priceCents} big out={!stock} />
        <StockBadge stock={stock} />
        {product.note}
      </div>
      <BuyActions key={id} product={product} />
      {!stock && (
        <Suspense>
          <SoldOut {...product} path={path} />
        </Suspense>
      )}
      {product.text.lead && <Description text={product.text} />}
      <SellingPoints />
      <PickupTerms />
      <BuyBar product={product} />
    </div>
  );
}

function Description({ text: { lead, rest, label } }: { text: ProductDetail["text"] }) {
  return (
    <section className="description">
      <h2>About it</h2>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rich text, sanitised when written and when read */}
      <div className="rich-text" dangerouslySetInnerHTML={{ __html: lead }} />
      {rest && (
        <details>
          <summary>
            {label} <Icon name="chevron-down" />
          </summary>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: as above */}
          <div className="rich-text" dangerouslySetInnerHTML={{ __html: rest }} />
        </details>
      )}
    </section>
  );
}

/**
 * Bar at the bottom of narrow screens, in place of the chat button: price, Add to Cart and a link to the chat.
 */
function BuyBar({ product: { priceCents, stock } }: { product: ChosenProduct }) {
  const unreadCount = useWaitingAnswers(0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of acts, not of fields
    <div className="buy-bar" role="group" aria-label="Buy">
      <PriceTag cents={priceCents} out={!stock} />
      {stock ? (
        <button type="submit" form={BUY_FORM} name="intent" value="add" className="btn btn-act" {...ONCE}>
          Add to Cart
        </button>
      ) : (
        <a className="btn btn-line" href="#restock">
          Tell me when it's back
        </a>
      )}
      <button
        {...ASK_BUTTON}
        className="buy-bar-ask"
        aria-label={unreadCount > 0 ? `Ask about this, ${unreadCount} unread` : "Ask about this"}
      >
        <Icon name="message-circle" />
        {unreadCount > 0 && <span className="count">{unreadCount}</span>}
      </button>
    </div>
  );
}

/** Stock from which its number is not shown. */
const AMPLE_STOCK = 20;

/** Stock badge (docs/product.md, 5.1), with the number below `AMPLE_STOCK`. */
function StockBadge({ stock }: { stock: number }) {
  if (!stock) return <span className="badge stock-level stock-level-out">Out of Stock</span>;
  if (stock <= SCARCE_STOCK)
    return <span className="badge stock-level stock-level-low">{`Only ${stock} left`}</span>;
  return (
    <span className="badge stock-level">{stock < AMPLE_STOCK ? `In stock, ${stock} left` : "In stock"}</span>
  );
}

/** Copies the page's address with the choice; without a script, or where copying fails, a panel shows it. */
function ShareButton({ path }: { path: string }) {
  const address = useSite().url + path;
  const share = async (event: MouseEvent) => {
    event.preventDefault();
    try {
      await navigator.clipboard.writeText(address);
      await showToast("success", "Link copied to clipboard!");
    } catch {
      document.getElementById("share")?.showPopover();
    }
  };
  return (
    <>
      <button
        {...popoverTrigger("share")}
        className="icon-btn icon-btn-line"
        aria-label="Share"
        onClick={share}
      >
        <Icon name="share-2" />
      </button>
      <div {...popover("share")} className="share">
        <label htmlFor="address">Address of this page</label>
        <input className="input" id="address" readOnly value={address} />
      </div>
    </>
  );
}

/** Options, quantity and buttons, disabled at stock 0. */
function BuyActions({ product }: { product: ChosenProduct }) {
  const { id, name, stock, choices, fields } = product;
  const isSoldOut = !stock;
  useSavedOptions();
  return (
    <CartForm id={id} formId={BUY_FORM} className="purchase-actions">
      <FormKey />
      {fields}
      <OptionFields choices={choices} onPicture={showPicture} />
      <Quantity name={name} stock={stock} />
      <button type="submit" name="intent" value="add" className="btn btn-act" disabled={isSoldOut}>
        <Icon name="shopping-bag" /> Add to Cart
      </button>
      <button {...ASK_BUTTON} className="btn btn-line btn-ask">
        Ask about it
      </button>
      <button
        type="submit"
        formAction="/chat?index"
        name="intent"
        value="product"
        className="btn btn-talk"
        disabled={isSoldOut}
        onClick={buyNow}
      >
        <Icon name="message-circle" /> Buy Now
      </button>
      <small>{product.terms}</small>
      {!isSoldOut && <small>Buy Now opens a chat with everything you chose. Nothing is charged.</small>}
    </CartForm>
  );
}

/** Starts a chat about the chosen quantity and options in the panel, instead of on the chat page. */
function buyNow(event: MouseEvent<HTMLButtonElement>) {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.currentTarget.form ?? undefined));
  startChatInPanel("/chat", { ...(fields as Record<string, string>), intent: "product" });
}

/** Stepper from 1 to the stock. */
function Quantity({ name, stock }: { name: string; stock: number }) {
  const field = useRef<HTMLInputElement>(null);
  const [quantity, setQuantity] = useState("1");
  const { key } = useLocation();
  // What was kept, or typed before hydration; React would put the state in its place. `ui/hooks` would weigh more than this.
  // biome-ignore lint/correctness/useExhaustiveDependencies: Back may lead from one entry of the page to another
  useEffect(() => setQuantity(savedOptions().quantity ?? field.current?.value ?? "1"), [key]);
  const number = Math.trunc(Number(quantity)) || 1;
  const most = Math.max(1, stock);
  const set = (next: number) => setQuantity(String(Math.min(Math.max(1, next), most)));
  const correct = () => {
    if (number > stock) showToast("blank", `Only ${stock} left`);
    set(number);
  };
  return (
    <Stepper
      label={`Quantity of ${name}`}
      less={{ disabled: number <= 1, onClick: () => set(number - 1) }}
      more={{ disabled: number >= stock, onClick: () => set(number + 1) }}
    >
      <input
        ref={field}
        className="num"
        type="number"
        inputMode="numeric"
        name="quantity"
        aria-label="Quantity"
        value={quantity}
        min={1}
        max={most}
        required
        disabled={!stock}
        onChange={(event) => setQuantity(event.target.value)}
        onBlur={correct}
        onMouseUp={selectOnRelease}
      />
    </Stepper>
  );
}

function SellingPoints() {
  return (
    <ul className="product-points">
      <li>
        <Icon name="store" /> Fast local pickup
      </li>
      <li>
        <Icon name="star" /> 5 star seller
      </li>
      <li>
        <Icon name="badge-check" /> Best quality guaranteed
      </li>
    </ul>
  );
}
