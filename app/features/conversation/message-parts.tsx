import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { SCARCE_STOCK } from "~/domain/stock-levels";
import { CartForm } from "~/features/cart/CartForm";
import { ChosenOptions } from "~/features/catalogue/ChosenOptions";
import { EngravedPicture } from "~/features/catalogue/EngravedPicture";
import { chosenPicture, type LabelledOptions, offerOf } from "~/features/catalogue/options";
import { choicePath } from "~/features/catalogue/unit-choice";
import { filesAmong, fileUrl, textBesideFiles } from "~/features/chat/files";
import { type CardProduct, type MessageParts, splitLinks } from "~/features/chat/message-links";
import { type ProductSelection, selectedOnly } from "~/features/chat/product-selection";
import type { CardOf, CardType, MessageCard } from "~/features/chat/protocol";
import { type CardReader, saleCard } from "~/features/sales/cards/SaleCards";
import type { FileCard } from "~/features/storage/file-card";
import { formatSize, isPicture, THUMBNAIL_WIDTHS } from "~/features/storage/files";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { PriceTag } from "~/ui/PriceTag";
import { hasFile, type UnsentFileMessage, type UnsentMessage } from "./client/message-store";
import type { CartSnapshot } from "./pages.server";

type CardDrawing<Type extends CardType> = (card: CardOf<Type>, reader: CardReader) => ReactNode;

/** Drawing of each type of card, which replaces the text that says the same. Its reader draws products; files stand together. */
const CARDS: { [Type in Exclude<CardType, "product" | "file">]: CardDrawing<Type> } = {
  hold: saleCard,
  quote: saleCard,
  receipt: saleCard,
  deposit: saleCard,
};
const drawingOf = ({ type }: MessageCard) =>
  (CARDS as Partial<Record<CardType, CardDrawing<CardType>>>)[type];

interface MessageContentProps extends CardReader {
  /** Class name of the text's bubble. */
  className?: string;
  text: string;
  cards: MessageCard[] | undefined;
  /** Products, drawn for its reader. */
  children: ReactNode;
}

/**
 * Content of a message's bubble, for the visitor and for the seller: text, products, files, and cards as they are now. A card of
 * a type that a later release has added is left to the text.
 */
export function MessageContent({ className, text, cards = [], children, ...reader }: MessageContentProps) {
  const files = filesAmong(cards);
  const drawn = cards.flatMap((card) => drawingOf(card)?.(card, reader) ?? []);
  const shown = drawn[0] ? "" : textBesideFiles(text, files);
  return (
    <>
      {shown && <p className={className}>{splitLinks(shown).map(linked)}</p>}
      {children}
      {files[0] && (
        <div className="file-cards">
          {files.map((file) =>
            isPicture(file) ? (
              <Thumbnail key={file.key} file={file} />
            ) : (
              <Download key={file.key} file={file} />
            ),
          )}
        </div>
      )}
      {drawn}
    </>
  );
}

/** Draws a part of a text; a web address is a link. */
const linked = (segment: ReturnType<typeof splitLinks>[number]) =>
  segment.href === null ? (
    segment.text
  ) : (
    <a key={segment.at} href={segment.href} target="_blank" rel="nofollow noopener">
      {segment.text}
    </a>
  );

/** Sides of the square that thumbnails fit into, px. */
const BOX = 220;

function Thumbnail({ file }: { file: FileCard }) {
  const { key, name, contentType, width = BOX, height = BOX } = file;
  const scale = Math.min(1, BOX / width, BOX / height);
  const small = {
    srcSet: THUMBNAIL_WIDTHS.map((offered) => `${fileUrl(key, offered)} ${offered}w`).join(", "),
    sizes: `${BOX}px`,
  };
  const isAnimation = contentType === "image/gif";
  return (
    <a className="file-picture" href={localTo(fileUrl(key))} target="_blank" rel="noopener">
      <picture>
        {isAnimation && <source media="(prefers-reduced-motion: reduce)" {...small} />}
        <img
          src={fileUrl(key, isAnimation ? undefined : THUMBNAIL_WIDTHS[0])}
          {...(!isAnimation && small)}
          // Sizes of the display: the picture takes its room before it has loaded.
          width={Math.max(1, Math.round(width * scale))}
          height={Math.max(1, Math.round(height * scale))}
          alt={name}
          decoding="async"
        />
      </picture>
    </a>
  );
}

function Download({ file: { key, name, size } }: { file: FileCard }) {
  return (
    <a className="file-download" href={localTo(fileUrl(key))} download={name}>
      <Icon name="file-text" />
      <span className="attachment-name">
        {name}
        <small>PDF, {formatSize(size)}</small>
      </span>
    </a>
  );
}

interface ProductCardProps {
  product: MessageParts["products"][number];
  /** Request to buy, in messages of before: quantity and options. */
  line?: CartSnapshot["lines"][number] | undefined;
}

/** Options of a card in words, after a swatch of the chosen colour. */
export function CardOptions({ product, options }: { product: CardProduct; options: ProductSelection }) {
  const known = product.choices?.colors.find(({ name }) => name === options.color);
  return <ChosenOptions chosen={selectedOnly(options)} swatch={known?.swatch ?? null} />;
}

interface CardPictureProps {
  product: CardProduct;
  options: LabelledOptions | undefined;
  sizes: string;
  width: number;
}

/** Picture of a card's product in the chosen colour, with the words to engrave. */
export function CardPicture({ product, options = {}, sizes, width }: CardPictureProps) {
  const picture = chosenPicture(product.image, product.choices, options);
  return <EngravedPicture {...picture} words={options.engraving} sizes={sizes} width={width} />;
}

/** Product in the visitor's conversation, with its current price and stock. */
export function ProductCard({ product, line }: ProductCardProps) {
  const { id, name, options } = product;
  const asked = options ?? line;
  const { priceCents, stock } = offerOf(product, asked?.color);
  const quantity = asked?.quantity ?? 1;
  return (
    <div className="chat-product">
      <CardPicture product={product} options={asked} sizes="56px" width={56} />
      <div className="chat-product-name">
        <Link to={choicePath(product, asked?.color)}>{name}</Link>
        <Stock stock={stock} />
        {asked && <span>{`${quantity} × ${dollars(priceCents)}`}</span>}
        {options ? (
          <CardOptions product={product} options={options} />
        ) : (
          line && <ChosenOptions chosen={line} swatch={line.swatch} />
        )}
      </div>
      <div className="chat-product-actions">
        <PriceTag cents={priceCents * quantity} out={stock === 0} />
        <CartForm
          intent="add"
          id={id}
          fields={
            asked && {
              color: asked.color ?? null,
              engraving: asked.engraving ?? null,
              quantity: String(quantity),
            }
          }
        >
          <button type="submit" className="chat-add" disabled={stock === 0}>
            <Icon name="shopping-bag" /> Add to Cart<span className="visually-hidden"> {name}</span>
          </button>
        </CartForm>
      </div>
    </div>
  );
}

/** Stock of a product (docs/product.md, 5.1). */
function Stock({ stock }: { stock: number }) {
  const isScarce = stock <= SCARCE_STOCK;
  return (
    <span className={`chat-product-stock${stock === 0 ? " out" : isScarce ? " low" : ""}`}>
      {stock === 0 ? "Out of Stock" : isScarce ? `Only ${stock} left` : "In stock"}
    </span>
  );
}

export interface OptionProps {
  product: CardProduct;
  options: ProductSelection;
}

interface AskedProductProps extends OptionProps {
  children?: ReactNode;
}

/** Loaded on demand: the fields belong to the product's page. */
const OptionDetails = lazy(() => import("./OptionDetails").catch(() => ({ default: () => null })));

/** Folded fields of what can be chosen of a product. */
export function ChangeOptions(props: OptionProps) {
  return (
    <Suspense>
      <OptionDetails {...props} />
    </Suspense>
  );
}

/** Product that the next message is about, with what was chosen of it, above the messages. */
export function AskedProduct({ product, options, children }: AskedProductProps) {
  const { name } = product;
  const { quantity } = options;
  const { priceCents, stock } = offerOf(product, options.color);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of facts, not of fields
    <div className="chat-asked" role="group" aria-label={`About ${name}`}>
      <CardPicture product={product} options={options} sizes="44px" width={48} />
      <div className="chat-product-name">
        <b>{name}</b>
        <CardOptions product={product} options={options} />
        <span className="chat-asked-stock">
          {quantity > 1 && <span>{`${quantity} pieces, ${dollars(priceCents)} each`}</span>}
          <Stock stock={stock} />
        </span>
      </div>
      <PriceTag cents={priceCents * quantity} out={stock === 0} />
      {children}
    </div>
  );
}

interface UnsentFileActions {
  /** Failed files are sent once the connection is back. */
  isOffline?: boolean;
  resend(message: UnsentMessage): unknown;
  cancel(id: string): void;
}

/** Files that are being sent, or that were not sent. */
export function UnsentFiles({ unsent, ...actions }: UnsentFileActions & { unsent: UnsentMessage[] }) {
  return (
    <div className="unsent-files">
      {unsent.filter(hasFile).map((message) => (
        <UnsentFile key={message.id} message={message} {...actions} />
      ))}
    </div>
  );
}

/** File that is being sent, with its progress, or that was not sent, with a retry. */
function UnsentFile({
  message,
  isOffline,
  resend,
  cancel,
}: UnsentFileActions & { message: UnsentFileMessage }) {
  const { id, file, failed, reason } = message;
  const isWaiting = failed && isOffline && !message.rejected;
  const hasFailed = failed && !isWaiting;
  return (
    <div className={hasFailed ? "unsent-file failed" : "unsent-file"}>
      <FilePreview file={file} />
      <span className="attachment-name">
        {file.name}
        <SendingState {...message} isWaiting={isWaiting} />
      </span>
      {hasFailed && !reason && (
        <button
          type="button"
          className="unsent-file-retry"
          onClick={() => resend(message)}
          aria-label={`Retry ${file.name}`}
        >
          <Icon name="rotate-cw" /> Retry
        </button>
      )}
      <button type="button" aria-label={`Cancel ${file.name}`} onClick={() => cancel(id)}>
        <Icon name="x" />
      </button>
    </div>
  );
}

type SendingStateProps = Pick<UnsentFileMessage, "failed" | "reason" | "progress" | "file"> & {
  isWaiting: boolean | undefined;
};

/** State of a file; one whose progress is missing waits for other files. */
function SendingState({ isWaiting, failed, reason, progress, file }: SendingStateProps) {
  if (isWaiting) return <small>Waits for the connection</small>;
  if (failed)
    return (
      <small className="unsent-file-error">
        <Icon name="circle-alert" /> Not sent{reason && `: ${reason}`}
      </small>
    );
  if (progress === undefined) return <small>Waiting</small>;
  return (
    <small>
      {progress < 1 ? `Sending, ${Math.floor(progress * 100)}%` : "Finishing"}
      <progress max={1} value={progress} aria-label={`Sending ${file.name}`} />
    </small>
  );
}

/** Preview of a file on this device: the picture, or an icon. */
export function FilePreview({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith("image/")) return;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url ? (
    <img className="file-preview" src={url} alt="" onError={() => setUrl(null)} />
  ) : (
    <span className="file-preview">
      <Icon name="file-text" />
    </span>
  );
}
