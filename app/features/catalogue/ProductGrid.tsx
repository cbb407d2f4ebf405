import { useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { SkeletonCards } from "~/ui/Skeleton";
import { ProductCard } from "./ProductCard";
import { shopUrl } from "./shop-address";
import type { VisibleShop } from "./shop-pages";

/** Bones shown while the shop loads (spec 9). */
const SKELETONS = 12;
/** Pictures that are asked for first: two rows on a phone, one where there are four columns. More would wait for each other. */
const IN_SIGHT = 4;
/** Marks a move that adds a page to those that are there. */
const MORE = { more: true };

/** The shop's cards; bones in their place while others are on their way. */
export function ProductGrid({ shop }: { shop: VisibleShop }) {
  const coming = useComing();
  const grid = useFocusOnNew(shop);
  if (shop.total === 0 && coming !== "others") return <NothingFound />;
  return (
    <>
      <EarlierLink shop={shop} />
      <div className="product-grid" ref={grid} aria-busy={coming !== null}>
        {coming !== "others" &&
          shop.cards.map((card, place) => (
            <ProductCard key={card.id} card={card} priority={place < IN_SIGHT} />
          ))}
        {coming && <SkeletonCards key="bones" count={SKELETONS} />}
      </div>
      {coming !== "others" && <MoreRow shop={shop} busy={coming === "more"} />}
    </>
  );
}

/** What the reader is waiting for within the shop: more of the same, other products, or nothing. */
function useComing(): "more" | "others" | null {
  const { location, state } = useNavigation();
  if (state === "idle" || location?.pathname !== "/shop") return null;
  return (location.state as typeof MORE | null)?.more ? "more" : "others";
}

/** After 'Show more' the focus goes on with the first card that is new: the button has moved away. */
function useFocusOnNew({ filter, cards, first, page }: VisibleShop) {
  const grid = useRef<HTMLDivElement>(null);
  const view = shopUrl(filter);
  const before = useRef({ view, first, page, cards: cards.length });
  useEffect(() => {
    const last = before.current;
    before.current = { view, first, page, cards: cards.length };
    if (last.view !== view || last.first !== first || page !== last.page + 1) return;
    grid.current?.children[last.cards]?.querySelector("a")?.focus({ preventScroll: true });
  }, [view, first, page, cards.length]);
  return grid;
}

function EarlierLink({ shop: { filter, first, size } }: { shop: VisibleShop }) {
  if (first === 1) return null;
  return (
    <p className="load-earlier">
      <Link className="btn btn-line" to={shopUrl(filter, first - 1)} rel="prev">
        Previous {size}
      </Link>
    </p>
  );
}

/** Without scripts 'Show more' is the next page's link; with them that page is added to what is there. */
function MoreRow({ shop, busy }: { shop: VisibleShop; busy: boolean }) {
  const { filter, cards, total, first, page, pages, size } = shop;
  const start = (first - 1) * size;
  const shown = first === 1 ? `${cards.length}` : `${start + 1} to ${start + cards.length}`;
  const more = Math.min(size, total - page * size);
  return (
    <div className="more-row">
      {page < pages && (
        <Link
          className="btn btn-line"
          to={shopUrl(filter, page + 1)}
          rel="next"
          replace
          preventScrollReset
          state={MORE}
          aria-disabled={busy || undefined}
        >
          {busy && <span className="spinner" aria-hidden="true" />}Show {more} more
        </Link>
      )}
      <p className="result-count">
        {shown} of {total} shown
      </p>
    </div>
  );
}

function NothingFound() {
  return (
    <div className="empty-state">
      <h2>No products found</h2>
      <p className="soft">Try adjusting your search or filter criteria</p>
      <div className="empty-state-actions">
        {/* The search field takes the focus, which this link leaves behind. */}
        <Link className="btn btn-act" to="/shop#search">
          Clear Filters
        </Link>
        <Link className="btn btn-talk" to="/chat">
          <Icon name="message-circle" /> Ask us for it
        </Link>
      </div>
    </div>
  );
}
