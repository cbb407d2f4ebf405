import type { Category } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { FormKey } from "~/ui/site";
import type { VisibleShop } from "./earlier-pages";
import type { NearGroup, SearchNotes } from "./operations/nearest.server";
import { ProductCard } from "./ProductCard";
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
      {isNear && <NearResults filter={filter} searched={searched} unfiltered={unfiltered} />}
      {!isNear && <NothingFound filter={filter} searched={searched} unfiltered={unfiltered} />}
      {searched?.text && (
        <div className="no-results">
          {searched.close.length > 0 && (
            <Choices
              title="Close words"
              choices={searched.close.map(({ word, products }) => [
                shopUrl({ search: word }),
                word,
                products,
              ])}
            />
          )}
          <AskFor text={filter.search} />
          {!isNear && (
            <Choices
              title="Categories"
              choices={categories.map(({ category, products }) => [
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

/** Groups that come closest to a search, after its matches at other prices. */
function NearResults({ filter, searched, unfiltered }: UnderstoodProps & { unfiltered: number }) {
  const { text, min, max, groups } = searched;
  return (
    <>
      {unfiltered > 0 && (
        <div className="near">
          <AllFound text={text} unfiltered={unfiltered} />
        </div>
      )}
      {groups.map((group) => (
        <Near key={group.has.join(" ")} group={group} filter={{ ...filter, min, max }} />
      ))}
    </>
  );
}

/** Products that have most of a search, named by what they lack, or its price alone. */
function Near({ group: { has, lacks, cards, total }, filter }: { group: NearGroup; filter: ShopFilter }) {
  const quoted = (labels: string[]) => labels.map((label) => `“${label}”`).join(", ");
  return (
    <section className="near">
      <div className="near-head">
        <h2>
          {has[0]
            ? `${quoted(has)}, but no ${quoted(lacks)}`
            : `Everything ${priceLabel(filter)?.toLowerCase()}`}
        </h2>
        {total > cards.length && (
          <Link to={shopUrl({ ...filter, search: has.join(" ") })} preventScrollReset>
            All {total}
          </Link>
        )}
      </div>
      <div className="product-grid">
        {cards.map((card) => (
          <div key={card.id} className="near-card">
            <ProductCard card={card} heading="h3" />
            {has[0] && (
              <p>
                <Icon name="minus" /> no {lacks.join(", no ")}
              </p>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

/** Link to the matches of a search without filters. */
const AllFound = ({ text, unfiltered }: { text: string; unfiltered: number }) => (
  <Link className="btn btn-act" to={shopUrl({ search: text })} preventScrollReset>
    All {unfiltered} for “{text}”
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

function Choices({
  title,
  choices,
}: {
  title: string;
  choices: [url: string, label: string, count: number][];
}) {
  return (
    <section>
      <h2>{title}</h2>
      <div className="suggested-categories">
        {choices.map(([url, label, count]) => (
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
        <label htmlFor="ask-for">Ask us for a “{text}”</label>
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
