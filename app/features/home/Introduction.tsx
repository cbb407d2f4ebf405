import { USUAL_HEADLINE, USUAL_INTRODUCTION } from "~/domain/home-texts";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { PriceTag } from "~/ui/PriceTag";
import type { HeroProduct } from "./hero.server";
import board400 from "./pictures/board-400.webp?url";
import board640 from "./pictures/board-640.webp?url";
import board920 from "./pictures/board-920.webp?url";
import coasters from "./pictures/coasters-224.webp?url";

interface HeroProps {
  /** Product in the picture; null when it is not for sale. */
  product: HeroProduct | null;
  /** Texts of the owner; "" for those below. */
  headline: string;
  introduction: string;
}

/** Top of the home page: headline, links and the picture of an engraved board. */
export function Hero({ product, headline, introduction }: HeroProps) {
  return (
    <section className="hero">
      <div className="hero-text">
        <h1>{headline || USUAL_HEADLINE}</h1>
        <div>
          <p>{introduction || USUAL_INTRODUCTION}</p>
          <div className="hero-actions">
            <Link className="btn btn-ink" to="/shop">
              Shop Now <Icon name="arrow-right" />
            </Link>
            <a className="btn btn-on-yellow" href="/chat?ask">
              <Icon name="message-circle" /> Ask a question
            </a>
          </div>
        </div>
      </div>
      <HeroPicture product={product} />
    </section>
  );
}

/** Picture of a chosen product, which is the way to it. */
function ChosenPicture({ id, name, priceCents, image }: HeroProduct & { image: string }) {
  return (
    <div className="hero-picture">
      <Link className="picture" to={`/products/${id}`}>
        <Picture image={image} alt={name} sizes={HERO_PICTURE.sizes} width={800} priority />
      </Link>
      <Link to={`/products/${id}`}>
        <span className="visually-hidden">{name}, </span>
        <PriceTag cents={priceCents} />
      </Link>
    </div>
  );
}

function HeroPicture({ product }: Pick<HeroProps, "product">) {
  if (product?.image) return <ChosenPicture {...product} image={product.image} />;
  return (
    <div className="hero-picture">
      <div className="picture">
        <img
          {...HERO_PICTURE}
          // React 18 accepts only the lower-case attribute.
          {...{ fetchpriority: "high" }}
          alt="A walnut serving board engraved with a wreath and the words Okafor, est. 2014"
          width={800}
          height={1000}
        />
      </div>
      <p className="bubble bubble-mine fixed">Can it say “Okafor, est. 2014”?</p>
      {product && (
        <Link to={`/products/${product.id}`}>
          <span className="visually-hidden">The board in the picture, </span>
          <PriceTag cents={product.priceCents} />
        </Link>
      )}
    </div>
  );
}

const FEATURES = [
  ["tag", "Best Prices", "The tag is the whole price. Buying three or more? Ask, and we will see."],
  [
    "shield-check",
    "Secure Shopping",
    "No card number is ever typed here. You pay in person: cash, card or e-transfer.",
  ],
  [
    "package-check",
    "PickUp Delivery",
    "Most things are ready the day you ask, until we close. Engraving takes up to four working days.",
  ],
] as const;

export function Features() {
  return (
    <section className="benefits" aria-label="Why shop here">
      {FEATURES.map(([icon, title, text]) => (
        <div className="benefit" key={title}>
          <Icon name={icon} />
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
      ))}
    </section>
  );
}

/** Picture of the hero, part of the build because the first view waits for it. */
export const HERO_PICTURE = {
  src: board640,
  srcSet: `${board400} 400w, ${board640} 640w, ${board920} 920w`,
  sizes: "(min-width: 64rem) 38rem, (min-width: 44rem) 45vw, 92vw",
};

export function ConversationExample({ shopName }: { shopName: string }) {
  return (
    <section className="section chat-example">
      <div className="wrap">
        <div className="chat-example-text">
          <h2>Buying here is a conversation</h2>
          <p>
            Put things in the cart, or just start talking. We check the shelf, settle the details, and set it
            aside under your name.
          </p>
          <a className="btn btn-talk" href="/chat?ask">
            <Icon name="message-circle" /> Ask us
          </a>
        </div>
        <Thread shopName={shopName} />
      </div>
    </section>
  );
}

function Thread({ shopName }: { shopName: string }) {
  return (
    <ol className="chat-example-messages" aria-label="An example conversation">
      <li className="me">
        <span className="chat-example-author">Ines</span>
        <p className="bubble bubble-mine">
          Is the slate dark enough to show fine lines? It’s a botanical drawing.
        </p>
      </li>
      <li>
        <span className="chat-example-author">{shopName}</span>
        <p className="bubble">It is. The laser leaves pale grey on charcoal. This was cut yesterday:</p>
      </li>
      <li>
        <Preview />
      </li>
      <li className="me">
        <span className="chat-example-author">Ines</span>
        <p className="bubble bubble-mine">Lovely. Two sets, please. Friday?</p>
      </li>
      <li>
        <span className="chat-example-author">{shopName}</span>
        <p className="bubble">Friday from ten. I’ve put your name on them.</p>
      </li>
    </ol>
  );
}

function Preview() {
  return (
    <div className="chat-example-product">
      <div className="picture">
        <img
          src={coasters}
          alt="A slate coaster engraved with a leaf"
          width={224}
          height={280}
          loading="lazy"
        />
      </div>
      <p>
        <b>Slate coasters, set of four</b>Line 0.2 mm, not filled. Safe in the sink.
      </p>
    </div>
  );
}
