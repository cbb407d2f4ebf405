import type { ReactNode } from "react";
import { localTo } from "~/domain/local-to";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { PickupTerms } from "~/ui/PickupTerms";
import { Picture } from "~/ui/Picture";
import { AwaitedRows } from "./AwaitedRows";
import { MineTabs } from "./MineTabs";
import type { AwaitedUnit, Purchase } from "./view";

interface PurchasesPageProps {
  open: Purchase[];
  /** Units that the reader waits for. */
  awaited: AwaitedUnit[];
  /** There are others, asked for earlier. */
  hasMoreAwaited: boolean;
  receipts: Purchase[];
  /** The page with the latest receipts. */
  isFirst: boolean;
  /** The page with everything that is waited for, and nothing else. */
  isOfWaits: boolean;
  /** Time before which the receipts of the next page were issued; null for the last page. */
  older: number | null;
  isSignedIn: boolean;
}

/** Page of the reader's quotes, holds, deposits and receipts. */
export function PurchasesPage({ open, awaited, receipts, isFirst, older, ...rest }: PurchasesPageProps) {
  const isEmpty = open.length + awaited.length + receipts.length === 0;
  return (
    <div className="wrap purchases">
      <h1>My purchases</h1>
      <MineTabs current="/purchases" />
      <div className="purchases-body">
        <div>
          {isEmpty && <Nothing isFirst={isFirst} />}
          {open.length > 0 && <Rows title="Open now" purchases={open} />}
          {awaited.length > 0 && <AwaitedRows awaited={awaited} hasMore={rest.hasMoreAwaited} />}
          {receipts.length > 0 && <Rows title="Receipts" purchases={receipts} />}
          {rest.isOfWaits && (
            <Link className="btn btn-line" to="/purchases">
              Quotes, holds and receipts
            </Link>
          )}
          {older !== null && (
            <Link className="btn btn-line" to={`/purchases?before=${older}`}>
              Show older
            </Link>
          )}
        </div>
        <aside className="receipt-side" aria-label="About this list">
          <Kept isSignedIn={rest.isSignedIn} />
          <PickupTerms />
        </aside>
      </div>
    </div>
  );
}

/** Place where the list is kept. */
function Kept({ isSignedIn }: { isSignedIn: boolean }) {
  if (isSignedIn)
    return (
      <p className="soft">
        What we recorded for your account and in your conversations.{" "}
        <Link className="link" to="/account?tab=data">
          Download your data
        </Link>
      </p>
    );
  return (
    <p className="soft">
      This list is kept for this device.{" "}
      <Link className="link" to="/login">
        Sign In
      </Link>{" "}
      to have it on all of yours.
    </p>
  );
}

function Nothing({ isFirst }: { isFirst: boolean }) {
  if (!isFirst) return <p className="lead">There are no older receipts.</p>;
  return (
    <div className="purchases-empty">
      <p className="lead">
        Nothing here yet. Quotes, what we set aside for you, and receipts appear here as soon as we send them
        in your conversation.
      </p>
      <p>
        <Link className="btn btn-act" to="/shop">
          Look round the shop
        </Link>
      </p>
    </div>
  );
}

function Rows({ title, purchases }: { title: string; purchases: Purchase[] }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="purchase-rows">
        {purchases.map((purchase) => (
          <Row key={purchase.key} purchase={purchase} />
        ))}
      </ul>
    </section>
  );
}

function Row({ purchase }: { purchase: Purchase }) {
  const { kind, title, image, details, waits, amount, payment, sums } = purchase;
  return (
    <li>
      <span className="purchase-picture" aria-hidden="true">
        {image ? (
          <Picture image={image} alt="" sizes="56px" width={56} />
        ) : (
          <Icon name={kind === "credit" ? "undo-2" : "receipt-text"} />
        )}
      </span>
      <div className="purchase-text">
        <b dir="auto">{title}</b>
        <span className="soft num">{details}</span>
        {waits && (
          <span className={kind === "order" ? "purchase-ready" : "purchase-waits"}>
            <Icon name={kind === "quote" ? "pencil" : "clock"} className="i s" /> {waits}
          </span>
        )}
        {sums.length > 0 && (
          <dl className="purchase-sums">
            {sums.map((sum) => (
              <div key={sum.label}>
                <dt>{sum.label}</dt>
                <dd>{sum.amount}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <p className="purchase-amount">
        <b>{amount}</b>
        {payment && <span className="soft">{payment}</span>}
      </p>
      <Acts {...purchase} />
    </li>
  );
}

/** Acts and links of a row; each names it for those who can't see the row. */
function Acts(purchase: Purchase) {
  const { kind, id, title, chatId, ask, receipt, details } = purchase;
  const of = receipt ? ` ${details.split(",", 1)[0]}` : `: ${title}`;
  const question = kind === "hold" ? "Ask to keep it longer" : "Ask about it";
  return (
    <div className="purchase-acts">
      {kind === "quote" && chatId && <Answers id={id} chatId={chatId} of={of} />}
      {receipt && (
        <>
          <Link className="link" to={receipt.page} aria-label={`Open${of}`}>
            Open
          </Link>
          <a className="link" href={localTo(receipt.pdf)} aria-label={`PDF of${of}`}>
            PDF
          </a>
        </>
      )}
      <Link className="link" to={ask} aria-label={question + of}>
        {question}
      </Link>
      {kind === "hold" && chatId && (
        <Decision intent="releaseHold" id={id} chatId={chatId}>
          <button type="submit" className="btn btn-quiet" aria-label={`Let it go${of}`}>
            Let it go
          </button>
        </Decision>
      )}
    </div>
  );
}

/** Answers to a quote, and the link to it in its conversation. */
function Answers({ id, chatId, of }: { id: string; chatId: string; of: string }) {
  return (
    <>
      <Decision intent="decideQuote" id={id} chatId={chatId}>
        <button
          type="submit"
          name="state"
          value="accepted"
          className="btn btn-act"
          aria-label={`Accept${of}`}
        >
          Accept
        </button>
        <button
          type="submit"
          name="state"
          value="declined"
          className="btn btn-line"
          aria-label={`Decline${of}`}
        >
          Decline
        </button>
      </Decision>
      <Link className="link" to={`/chat/${chatId}#quote-${id}`} aria-label={`See the quote${of}`}>
        See the quote
      </Link>
    </>
  );
}

interface DecisionProps {
  intent: "decideQuote" | "releaseHold";
  id: string;
  chatId: string;
  children: ReactNode;
}

/** Form of a decision, which its conversation's page takes and then shows. */
function Decision({ intent, id, chatId, children }: DecisionProps) {
  return (
    <form method="post" action={localTo(`/chat/${encodeURIComponent(chatId)}#latest`)}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      {children}
    </form>
  );
}
