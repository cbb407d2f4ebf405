import type { Category } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { FormKey } from "~/ui/site";
import { prefetchHandlers } from "./browser-cache";
import type { VisibleShop } from "./earlier-pages";
import type { NearGroup, SearchMatch, SearchNotes } from "./operations/nearest.server";
import { type Card, CardPicture, ProductCard } from "./ProductCard";
import { priceLabel } from "./price-bands";
import type { ShopFilter } from "./schema";
import { categoryUrl, shopUrl } from "./urls";

export interface ResultsProps {
  shop: VisibleShop;
  categories: { category: Category; products: number }[];
}

interface UnderstoodProps {
  filter: ShopFilter;
  searched: SearchNotes;
}

/** Parts of a search that were understood in another way than as its words; a price can be removed. */
export function Understood({ filter, searched: { text, min, max, terms } }: UnderstoodProps) {
  const price = text === filter.search ? null : priceLabel({ min, max });
  const isPlain = terms.every(({ synonyms, isKnown }) => synonyms.length === 0 && isKnown);
  if (!price && !text) return <p className="understood">No word of it names a product: here are all.</p>;
  if (!price && isPlain) return null;
  return (
    <p className="understood">
      Understood
      {terms.map(({ label, synonyms, isKnown }) => (
        <span key={label} className={isKnown ? undefined : "understood-not"}>
          <b>{label}</b>
          {synonyms.length > 0 && <small> or {synonyms.join(", ")}</small>}
          {!isKnown && <small> in no product</small>}
        </span>
      ))}
      {price && (
        <Link
          to={shopUrl({ ...filter, search: text, min: null, max: null })}
          preventScrollReset
          aria-label={`Remove: ${price}`}
        >
          {price} <Icon name="x" />
        </Link>
      )}
    </p>
  );
}

/** Page of a list without products: what comes closest, close words, the way to ask, and categories. */
export function NoResults({ shop, categories }: ResultsProps) {
  const { filter, searched, facets } = shop;
  const isNear = searched !== null && searched.groups.length > 0;
  const unfiltered = facets.unfiltered ?? 0;
  return (
    <>
      {isNear && searched.groups.map((group) => <Near key={group.title} group={group} />)}
      {!isNear && <NothingFound filter={filter} searched={searched} unfiltered={unfiltered} />}
      {searched && (
        <div className="no-results">
          {searched.close.length > 0 && (
            <SuggestedLinks
              title="Close words"
              links={searched.close.map(({ word, products }) => [shopUrl({ search: word }), word, products])}
            />
          )}
          {searched.text && <AskFor text={filter.search} />}
          {!isNear && (
            <SuggestedLinks
              title="Categories"
              links={categories.map(({ category, products }) => [
                categoryUrl(category),
                categoryName(category),
                products,
              ])}
            />
          )}
        </div>
      )}
    </>
  );
}

/** Products that have most of a search, each with what it lacks. */
function Near({ group: { title, cards, all } }: { group: NearGroup }) {
  return (
    <section className="near">
      <div className="near-head">
        <h2>{title}</h2>
        {all && (
          <Link to={all.url} preventScrollReset>
            {all.label}
          </Link>
        )}
      </div>
      <div className="product-grid">
        {cards.map((card) => (
          <div key={card.id} className="near-card">
            <ProductCard card={card} heading="h3" hasCategory={!card.lack} />
            {card.lack && (
              <p>
                <Icon name="minus" /> {card.lack}
              </p>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

interface MatchProps {
  card: Card;
  match: SearchMatch;
}

/** The only product that a search finds, with what comes close to the search. */
export function Match({ card, match: { text, choices, near } }: MatchProps) {
  const { id, name, stock } = card;
  return (
    <>
      <article className={stock > 0 ? "match" : "match product-card-sold-out"}>
        <CardPicture card={card} sizes="(min-width: 40rem) 19rem, 92vw" width={400} priority />
        <div>
          <h2>
            <Link to={`/products/${id}`} {...prefetchHandlers(`/products/${id}`)}>
              {name}
            </Link>
          </h2>
          <p className={stock > 0 ? "match-stock" : "soft"}>{stock > 0 ? "In stock" : "Out of Stock"}</p>
          {text && <p className="soft">{text}</p>}
          {choices.colors.length > 1 && (
            <ul aria-label={choices.label}>
              {choices.colors.map((color) => (
                <li key={color.name}>
                  {color.swatch && <i className="swatch-dot" style={{ background: color.swatch }} />}
                  {color.name}
                </li>
              ))}
            </ul>
          )}
          <p className="match-acts">
            <Link className="btn btn-act" to={`/products/${id}`}>
              {stock > 0 ? choiceOf(choices) : "View Details"}
            </Link>
            <Link className="btn btn-line" to={`/chat?product=${id}`}>
              Ask about it
            </Link>
          </p>
        </div>
      </article>
      {near && <Near group={near} />}
    </>
  );
}

function choiceOf({ label, colors, hasEngraving }: SearchMatch["choices"]): string {
  if (colors.length > 1) return `Choose a ${label.toLowerCase()}`;
  return hasEngraving ? "Choose the words" : "View Details";
}

/** Question to the shop below results, which opens. */
export function NotHere({ text }: { text: string }) {
  return (
    <details className="not-here">
      <summary className="bubble bubble-soft">
        Not here? <u>Ask us for “{text}”</u>
      </summary>
      <AskFor text={text} />
    </details>
  );
}

/** Link to the matches of a search without filters. */
const AllFound = ({ text, unfiltered }: { text: string; unfiltered: number }) => (
  <Link className="btn btn-act" to={shopUrl({ search: text })} preventScrollReset>
    {unfiltered} “{text}” without filters
  </Link>
);

interface NothingFoundProps {
  filter: ShopFilter;
  searched: SearchNotes | null;
  unfiltered: number;
}

function NothingFound({ filter, searched, unfiltered }: NothingFoundProps) {
  return (
    <div className="empty-state">
      <h2>No products found</h2>
      <p className="soft">Try adjusting your search or filter criteria</p>
      <div className="empty-state-actions">
        {searched && unfiltered > 0 && <AllFound text={searched.text} unfiltered={unfiltered} />}
        {/* The hash moves the focus to the search field. */}
        <Link className={unfiltered > 0 ? "btn btn-line" : "btn btn-act"} to="/shop#search">
          Clear Filters
        </Link>
        {!filter.search && (
          <Link className="btn btn-talk" to="/chat?ask">
            <Icon name="message-circle" /> Ask us what you look for
          </Link>
        )}
      </div>
    </div>
  );
}

function SuggestedLinks({
  title,
  links,
}: {
  title: string;
  links: [url: string, label: string, count: number][];
}) {
  return (
    <section>
      <h2>{title}</h2>
      <div className="suggested-categories">
        {links.map(([url, label, count]) => (
          <Link key={url} to={url}>
            {label} <span>{count}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}

/** Question to the shop that is written already. */
function AskFor({ text }: { text: string }) {
  return (
    <Form method="post" action="/chat?index" encType="multipart/form-data" className="ask-for" key={text}>
      <FormKey />
      <input type="hidden" name="continue" value="true" />
      <h2>
        <label htmlFor="ask-for">Ask us for “{text}”</label>
      </h2>
      <textarea
        className="input"
        id="ask-for"
        name="initialMessage"
        rows={3}
        required
        defaultValue={`Do you have “${text}”, or could you get it?`}
      />
      <SubmitButton intent="start" busy="Sending..." className="btn btn-talk">
        <Icon name="message-circle" /> Send to us
      </SubmitButton>
    </Form>
  );
}
