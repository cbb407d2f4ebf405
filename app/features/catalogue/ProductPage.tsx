import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { Link } from "~/ui/Link";
import { Picture } from "~/ui/Picture";
import { BuyBox, type ProductDetail } from "./BuyBox";
import { type Category, categoryName } from "./categories";
import { type Card, ProductCard } from "./ProductCard";
import { shopUrl } from "./shop-url";

/** Pictures, description and price of a product, with others of its category. */
export function ProductPage({ product, related }: { product: ProductDetail; related: Card[] }) {
  const { id, name, images, category } = product;
  return (
    <>
      <Breadcrumb category={category} />
      <div className="product">
        <Gallery key={id} images={images} name={name} />
        <BuyBox product={product} />
      </div>
      <RelatedProducts cards={related} category={category} />
    </>
  );
}

interface GalleryProps {
  /** `url` is a stored entry. */
  images: { url: string; alt: string }[];
  name: string;
}

const SIZES = "(min-width: 64rem) 46vw, (min-width: 46rem) 50vw, 100vw";
const pictureId = (index: number) => `picture-${index + 1}`;

/**
 * Product pictures in a scroll-snapping reel, with thumbnails for more than one. Thumbnails are links to the pictures;
 * with JavaScript they scroll only the reel.
 */
function Gallery({ images, name }: GalleryProps) {
  const { reel, visibleIndex, scrollTo, onScroll } = useReel();
  const pictures = images.length ? images : [{ url: null, alt: name }];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step || pictures.length < 2) return;
    event.preventDefault();
    scrollTo(Math.min(pictures.length - 1, Math.max(0, visibleIndex + step)));
  };
  return (
    <div className="gallery">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of pictures, not of fields */}
      <div
        className="gallery-reel"
        ref={reel}
        role="group"
        aria-label="Pictures"
        tabIndex={pictures.length > 1 ? 0 : undefined}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        {pictures.map(({ url, alt }, index) => (
          <div className="picture" id={pictureId(index)} key={url}>
            <Picture image={url} alt={alt} sizes={SIZES} width={800} priority={index === 0} />
          </div>
        ))}
      </div>
      {pictures.length > 1 && <Thumbnails images={images} visibleIndex={visibleIndex} scrollTo={scrollTo} />}
    </div>
  );
}

/** Tracks the visible picture of the reel and scrolls to others. */
function useReel() {
  const reel = useRef<HTMLDivElement>(null);
  const [visibleIndex, setVisibleIndex] = useState(0);
  const onScroll = () => {
    const { scrollLeft = 0, clientWidth = 1 } = reel.current ?? {};
    setVisibleIndex(Math.round(scrollLeft / clientWidth));
  };
  const scrollTo = (index: number) => {
    const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    reel.current?.scrollTo({
      left: reel.current.clientWidth * index,
      behavior: reducesMotion ? "auto" : "smooth",
    });
  };
  return { reel, visibleIndex, scrollTo, onScroll };
}

interface ThumbnailsProps extends Pick<GalleryProps, "images"> {
  visibleIndex: number;
  scrollTo: (index: number) => void;
}

function Thumbnails({ images, visibleIndex, scrollTo }: ThumbnailsProps) {
  return (
    <div className="thumbnails">
      {images.map(({ url }, index) => (
        <a
          key={url}
          href={`#${pictureId(index)}`}
          aria-label={`Picture ${index + 1} of ${images.length}`}
          aria-current={index === visibleIndex ? "true" : undefined}
          onClick={(event: MouseEvent) => {
            event.preventDefault();
            scrollTo(index);
          }}
        >
          <span className="picture">
            <Picture image={url} alt="" sizes="5rem" width={96} />
          </span>
        </a>
      ))}
    </div>
  );
}

function Breadcrumb({ category }: { category: Category }) {
  const trail = [
    { name: "Home", to: "/" },
    { name: "Shop", to: "/shop" },
    { name: categoryName(category), to: shopUrl({ search: "", category, sort: "default" }) },
  ];
  return (
    <nav aria-label="Breadcrumb">
      <ol className="breadcrumbs">
        {trail.map(({ name, to }) => (
          <li key={to}>
            <Link to={to}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Other products of the same category; nothing when there are none. */
function RelatedProducts({ cards, category }: { cards: Card[]; category: Category }) {
  if (cards.length === 0) return null;
  return (
    <section className="section" aria-labelledby="related">
      <div className="section-head">
        <h2 id="related">Related products</h2>
        <Link className="link" to={shopUrl({ search: "", category, sort: "default" })}>
          All in {categoryName(category)}
        </Link>
      </div>
      <div className="product-grid product-grid-even">
        {cards.map((card) => (
          <ProductCard key={card.id} card={card} heading="h3" hasDetailsLink />
        ))}
      </div>
    </section>
  );
}
