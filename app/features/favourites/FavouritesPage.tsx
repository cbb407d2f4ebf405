import { useEffect, useState } from "react";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { CartForm } from "~/features/cart/CartForm";
import { type Card, ProductCard } from "~/features/catalogue/ProductCard";
import type { CardProduct } from "~/features/chat/message-links";
import { StartChatForm } from "~/features/chat/open-chat";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import plinth from "~/ui/pictures/plinth-480.webp?url";
import { FavouriteButton } from "./FavouriteButton";
import { clearViewed, viewedIds } from "./recently-viewed";

interface FavouritesProps {
  /** The latest. */
  cards: Card[];
  /** Number of the latest that are not offered now. */
  hidden: number;
  /** Number of all favourites. */
  total: number;
  /** Number that the page shows next; null when all are shown. */
  more: number | null;
  isSignedIn: boolean;
}

/** Favourites with ways to buy or ask, and the products that this device has seen. */
export function FavouritesPage(props: FavouritesProps) {
  return (
    <div className="wrap">
      {props.cards.length === 0 ? <NoFavourites /> : <Favourites {...props} />}
      <RecentlyViewed />
    </div>
  );
}

function Favourites({ cards, hidden, total, more, isSignedIn }: FavouritesProps) {
  return (
    <>
      <div className="favourites-head">
        <div>
          <h1>Favourites</h1>
          <p className="result-count" role="status">
            <b>{total}</b> kept {isSignedIn ? "in your account." : "on this device. "}
            {!isSignedIn && (
              <>
                <Link className="link" to="/login">
                  Sign in
                </Link>{" "}
                to have {total === 1 ? "it" : "them"} everywhere.
              </>
            )}
            {hidden > 0 && notOffered(hidden)}
          </p>
        </div>
        <AskAboutAll total={total} />
      </div>
      <div className="product-grid product-grid-even">
        {cards.map((card) => (
          <FavouriteCard key={card.id} card={card} />
        ))}
      </div>
      {more !== null && (
        <Link className="btn btn-line" to={`?show=${more}`} preventScrollReset>
          Show more
        </Link>
      )}
    </>
  );
}

const AskAboutAll = ({ total }: Pick<FavouritesProps, "total">) => (
  <div className="favourites-ask">
    <StartChatForm page="/chat" fields={{ intent: "favourites" }}>
      <button type="submit" className="btn btn-talk">
        <Icon name="message-circle" /> {total === 1 ? "Ask about this" : `Ask about these ${total}`}
      </button>
    </StartChatForm>
    <small>Opens a chat with the list. Nothing is charged.</small>
  </div>
);

const notOffered = (count: number) => ` ${count} of them ${count === 1 ? "is" : "are"} no longer offered.`;

function FavouriteCard({ card }: { card: Card }) {
  const { id, name, stock } = card;
  return (
    <div className="favourite">
      <ProductCard card={card} />
      <FavouriteButton id={id} name={name} className="on-picture" />
      {stock > 0 ? (
        <CartForm intent="add" id={id}>
          <button type="submit" className="btn btn-line btn-wide">
            Add to Cart<span className="visually-hidden">: {name}</span>
          </button>
        </CartForm>
      ) : (
        <a className="btn btn-line btn-wide" href={localTo(`/chat?product=${id}`)}>
          Ask when it’s back<span className="visually-hidden">: {name}</span>
        </a>
      )}
    </div>
  );
}

function NoFavourites() {
  return (
    <div className="no-favourites">
      <div className="picture">
        <img src={plinth} alt="" width={800} height={1000} />
      </div>
      <div>
        <h1>Nothing kept yet</h1>
        <p className="soft">
          Tap the heart on anything you like and it waits here. When there are a few, you can ask about all of
          them at once.
        </p>
        <div className="empty-state-actions">
          <Link className="btn btn-act" to="/shop">
            Look round
          </Link>
          <Link className="btn btn-talk" to="/chat?ask">
            <Icon name="message-circle" /> Ask us
          </Link>
        </div>
      </div>
    </div>
  );
}

/** Reads the current data of products; deleted and hidden ones are left out. */
async function readProducts(ids: string[]): Promise<CardProduct[]> {
  const answer = await fetch(`/chat/products?ids=${ids.join()}`);
  return answer.ok ? (await answer.json<{ products: CardProduct[] }>()).products : [];
}

/** Products of this device's history, with today's prices; nothing without any. */
function RecentlyViewed() {
  const [products, setProducts] = useState<CardProduct[]>([]);
  useEffect(() => {
    const ids = viewedIds();
    if (ids.length === 0) return;
    // Without a connection the section stays away.
    void readProducts(ids).then(
      (found) => setProducts(ids.flatMap((id) => found.find((product) => product.id === id) ?? [])),
      () => undefined,
    );
  }, []);
  if (products.length === 0) return null;
  const clear = () => {
    clearViewed();
    setProducts([]);
  };
  return (
    <section className="section" aria-labelledby="viewed">
      <div className="section-head">
        <h2 id="viewed">Recently viewed</h2>
        <button type="button" className="link" onClick={clear}>
          Clear
        </button>
      </div>
      <ul className="viewed">
        {products.map(({ id, name, priceCents, image }) => (
          <li key={id}>
            <Link to={`/products/${id}`}>
              <span className="picture">
                <Picture image={image} alt="" sizes="10rem" width={160} />
              </span>
              <b>{name}</b>
              <span className="soft num">{dollars(priceCents)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
