import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { PickupTerms } from "~/ui/PickupTerms";
import type { ReceiptContent } from "./content";
import { Receipt } from "./Receipt";

interface ReceiptPageProps {
  content: ReceiptContent;
  /** Date and time of issue. */
  issued: string;
  isInChat: boolean;
  /** URL of the PDF. */
  pdf: string;
  original: string | null;
  /** Page of the conversation about the document. */
  chat: string;
  /** Goods that were taken back later; empty for none. */
  returned: string;
}

/** Page of a receipt: the sheet, with the acts outside of it. */
export function ReceiptPage({ content, original, returned, chat, ...head }: ReceiptPageProps) {
  return (
    <div className="wrap receipt-page">
      <nav aria-label="Breadcrumb">
        <ol className="breadcrumbs">
          <li>
            <Link to="/">Home</Link>
          </li>
          <li>
            <Link to="/chat?all">My conversations</Link>
          </li>
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
        <Questions name={content.title.toLowerCase()} chat={chat} />
      </div>
    </div>
  );
}

/** Number, date and acts. */
function Head({ content, issued, isInChat, pdf }: Omit<ReceiptPageProps, "original" | "returned" | "chat">) {
  return (
    <div className="receipt-head">
      <div>
        <h1>
          {content.title} <span className="num">{content.number}</span>
        </h1>
        <p className="soft">
          {isInChat ? "Sent to you in the chat, " : "Issued "}
          {issued}
        </p>
      </div>
      <div className="receipt-acts">
        <button type="button" className="btn btn-line receipt-print" onClick={() => window.print()}>
          <Icon name="printer" /> Print
        </button>
        <a className="btn btn-act" href={pdf}>
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
      <Link className="link" to="/chat?all">
        My conversations
      </Link>
      <PickupTerms />
    </aside>
  );
}
