import { useNavigation } from "@remix-run/react";
import { lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from "react";
import { Icon } from "~/ui/Icon";
import { listen } from "~/ui/listen";
import { Link } from "~/ui/navigation";
import { SkeletonCards } from "~/ui/Skeleton";
import type { VisibleShop } from "./earlier-pages";
import { ProductCard } from "./ProductCard";
import type { ResultsProps } from "./SearchResults";
import { shopUrl } from "./urls";

const SKELETON_COUNT = 12;
/** Pictures loaded eagerly: two rows on a phone, one on wide screens. More would delay each other. */
const EAGER_PICTURES = 4;
const SHOW_MORE_STATE = { more: true };

/** Loads what only searches and empty lists show. */
export const loadResults = () => import("./SearchResults");
const Understood = lazy(async () => ({ default: (await loadResults()).Understood }));
const NoResults = lazy(async () => ({ default: (await loadResults()).NoResults }));
const Match = lazy(async () => ({ default: (await loadResults()).Match }));
const NotHere = lazy(async () => ({ default: (await loadResults()).NotHere }));

/** Parts of a search that were understood in another way than as its words. */
export function SearchNote({ shop: { filter, searched } }: { shop: VisibleShop }) {
  return (
    searched && (
      <Suspense>
        <Understood filter={filter} searched={searched} />
      </Suspense>
    )
  );
}

/** Product cards of the shop, with skeletons while more or another list loads. */
export function ProductGrid({ shop, categories }: ResultsProps) {
  const pending = usePending();
  const grid = useFocusNewCards(shop);
  if (pending !== "list" && shop.facets.total === 0)
    return (
      <Suspense>
        <NoResults shop={shop} categories={categories} />
      </Suspense>
    );
  const [card] = shop.cards;
  if (pending !== "list" && card && shop.searched?.match)
    return (
      <Suspense>
        <Match card={card} match={shop.searched.match} />
        <MoreRow shop={shop} busy={false} />
      </Suspense>
    );
  return (
    <>
      <EarlierLink shop={shop} />
      <div className="product-grid" ref={grid} aria-busy={pending !== null}>
        {pending !== "list" &&
          shop.cards.map((card, index) => (
            <ProductCard
              key={card.id}
              card={card}
              priority={index < EAGER_PICTURES}
              hasCategory={shop.filter.category === null}
            />
          ))}
        {pending && <SkeletonCards key="skeletons" count={SKELETON_COUNT} />}
      </div>
      {pending !== "list" && <MoreRow shop={shop} busy={pending === "more"} />}
    </>
  );
}

/** Reports what loads within the shop: one more page, another list, or nothing. */
function usePending(): "more" | "list" | null {
  const { location, state } = useNavigation();
  if (state === "idle" || location?.pathname !== "/shop") return null;
  return (location.state as typeof SHOW_MORE_STATE | null)?.more ? "more" : "list";
}

/** Focuses the first new card after 'Show more', because the button has moved. */
function useFocusNewCards({ filter, cards, first, page }: VisibleShop) {
  const grid = useRef<HTMLDivElement>(null);
  const view = shopUrl(filter);
  const latest = useRef({ view, first, page, cards: cards.length });
  useEffect(() => {
    const previous = latest.current;
    latest.current = { view, first, page, cards: cards.length };
    if (previous.view !== view || previous.first !== first || page !== previous.page + 1) return;
    grid.current?.children[previous.cards]?.querySelector("a")?.focus({ preventScroll: true });
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

/** Link to the next page, which JavaScript appends to the list, and the count. */
function MoreRow({ shop, busy }: { shop: VisibleShop; busy: boolean }) {
  const { filter, cards, first, page, pages, size } = shop;
  const { total } = shop.facets;
  const start = (first - 1) * size;
  const range = first === 1 ? `${cards.length}` : `${start + 1} to ${start + cards.length}`;
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
          state={SHOW_MORE_STATE}
          aria-disabled={busy || undefined}
        >
          {busy && <span className="spinner" aria-hidden="true" />}Show {more} more
        </Link>
      )}
      {(page < pages || first > 1) && (
        <p className="result-count">
          {range} of {total} shown
        </p>
      )}
      {page === pages && <Ask text={shop.searched?.text && filter.search} />}
    </div>
  );
}

/** Way to ask for what a list does not have; for a search the question is written already. */
function Ask({ text }: { text: string | undefined }) {
  if (text)
    return (
      <Suspense>
        <NotHere text={text} />
      </Suspense>
    );
  return (
    <p className="bubble bubble-soft">
      Not here? <Link to="/chat?ask">Ask us</Link>. We order in most weeks.
    </p>
  );
}

/** Scroll position from which the link is visible, px. */
const VISIBLE_FROM_PX = 300;

/** Link back to the top; a script shows it in browsers without scroll-driven animations. */
export function ScrollToTop() {
  const [isVisible, setVisible] = useState<boolean>();
  useEffect(() => {
    if (CSS.supports("animation-timeline: scroll()")) return;
    const update = () => setVisible(window.scrollY > VISIBLE_FROM_PX);
    update();
    return listen(window, ["scroll"], update);
  }, []);
  return (
    // biome-ignore lint/a11y/useValidAnchor: works as a link without JavaScript
    <a
      className="icon-btn scroll-to-top"
      href="#top"
      aria-label="Back to the top"
      data-shown={isVisible}
      onClick={scrollToTop}
    >
      <Icon name="arrow-up" />
    </a>
  );
}

function scrollToTop(event: MouseEvent) {
  event.preventDefault();
  const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  window.scrollTo({ top: 0, behavior: reducesMotion ? "auto" : "smooth" });
  document.getElementById("main")?.focus({ preventScroll: true });
}
