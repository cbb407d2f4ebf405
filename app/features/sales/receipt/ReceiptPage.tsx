import { localTo } from "~/domain/local-to";
import { Icon, Logo } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { PickupTerms } from "~/ui/PickupTerms";
import { LineHeads } from "../LineHeads";
import type { ReceiptContent, ReceiptLine } from "./content";

interface ReceiptPageProps {
  content: ReceiptContent;
  /** Date and time of issue. */
  issued: string;
  isInChat: boolean;
  /** URL of the PDF. */
  pdf: string;
  original: string | null;
  /** Page of the document in the back office; null for shoppers. */
  office: string | null;
  /** Page of the conversation about the document. */
  chat: string;
  /** Products that were taken back later; empty for none. */
  returned: string;
}

/** Page of a receipt: the sheet, with the acts outside of it. */
export function ReceiptPage({ content, original, returned, chat, ...head }: ReceiptPageProps) {
  const { office } = head;
  return (
    <div className="wrap receipt-page">
      <nav aria-label="Breadcrumb">
        <ol className="breadcrumbs">
          <li>
            <Link to="/">Home</Link>
          </li>
          <li>{office ? <Link to={office}>Back office</Link> : <Link to="/chat">My conversations</Link>}</li>
        </ol>
      </nav>
      <Head content={content} {...head} />
      {returned && (
        <p className="receipt-returned">
          <Icon name="undo-2" />
          <span dir="auto">{returned}</span>
        </p>
      )}
      <div className="receipt-body">
        <Receipt content={content} original={original} />
        {!office && <Questions name={content.title.toLowerCase()} chat={chat} />}
      </div>
    </div>
  );
}

/** Number, date and acts. */
function Head({
  content,
  issued,
  isInChat,
  office,
  pdf,
}: Omit<ReceiptPageProps, "original" | "returned" | "chat">) {
  const sent = office ? "Sent in the chat, " : "Sent to you in the chat, ";
  return (
    <div className="receipt-head">
      <div>
        <h1>
          {content.title} <span className="num">{content.number}</span>
        </h1>
        <p className="soft">
          {isInChat ? sent : "Issued "}
          {issued}
        </p>
      </div>
      <div className="receipt-acts">
        <button type="button" className="btn btn-line receipt-print" onClick={() => window.print()}>
          <Icon name="printer" /> Print
        </button>
        <a className="btn btn-act" href={localTo(pdf)}>
          <Icon name="file-down" /> PDF
        </a>
      </div>
    </div>
  );
}

/** Ways to the conversation. @param props.name "receipt" or "credit note" */
function Questions({ name, chat }: { name: string; chat: string }) {
  return (
    <aside className="receipt-side" aria-label={`Questions about this ${name}`}>
      <p className="bubble bubble-soft">
        Something not right? Write to us, we’ll have this {name} in front of us.
      </p>
      <Link className="btn btn-talk" to={chat}>
        <Icon name="message-circle" /> Ask about it
      </Link>
      <Link className="link" to="/chat">
        My conversations
      </Link>
      <PickupTerms />
    </aside>
  );
}

interface ReceiptProps {
  content: ReceiptContent;
  /** Page of the sale that a credit note corrects; null when the reader may not open it. */
  original: string | null;
}

/** Sheet of a receipt or credit note, on the page and in print. */
function Receipt({ content, original }: ReceiptProps) {
  const { title, number, sums, total, paid, footer } = content;
  return (
    <article className="receipt-sheet" aria-label={`${title} ${number}`}>
      <Heading content={content} />
      {content.original && <Original {...content.original} to={original} />}
      <Lines lines={content.lines} />
      <dl className="receipt-sums">
        {sums.map(({ label, amount }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
        <div className="receipt-total">
          <dt>{total.label}</dt>
          <dd>{total.amount}</dd>
        </div>
        {paid.map(({ label, amount }) => (
          <div key={label} className="receipt-paid">
            <dt>
              <Icon name="badge-check" />
              {label}
            </dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      {footer && <footer>{footer}</footer>}
    </article>
  );
}

function Heading({
  content: { seller, hasMark, logo, sellerDetails, title, facts },
}: Pick<ReceiptProps, "content">) {
  return (
    <header>
      <div className="receipt-seller">
        <b className="logo">
          {hasMark &&
            (logo ? (
              <img src={`/api/storage/object?key=${encodeURIComponent(logo)}`} alt="" height={32} />
            ) : (
              <Logo />
            ))}
          {seller}
        </b>
        {sellerDetails.map((detail) => (
          <p key={detail}>{detail}</p>
        ))}
      </div>
      <p className="receipt-title">{title}</p>
      <dl className="receipt-facts">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

interface OriginalProps {
  number: string;
  reason: string;
  to: string | null;
}

function Original({ number, reason, to }: OriginalProps) {
  return (
    <p className="receipt-original">
      <Icon name="undo-2" />
      <span>
        Corrects receipt{" "}
        {to ? (
          <Link className="link" to={to}>
            {number}
          </Link>
        ) : (
          number
        )}
        . <span dir="auto">{reason}</span>
      </span>
    </p>
  );
}

function Lines({ lines }: { lines: ReceiptLine[] }) {
  return (
    <table>
      <LineHeads heads={["Item", ["Qty", "num"], ["Price", "num"], ["Amount", "num"]]} />
      <tbody>
        {lines.map(({ line, description, note, quantity, price, amount }) => (
          <tr key={line}>
            <td className="receipt-item" dir="auto">
              {description}
              {note && <small className="receipt-note">{note}</small>}
            </td>
            <td className="num receipt-quantity">
              {quantity}
              {price && <span className="receipt-each"> × {price}</span>}
            </td>
            <td className="num receipt-price">{price}</td>
            <td className="num receipt-amount">{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
