import type { ReactNode } from "react";
import { dollars } from "~/domain/money";
import { paidText } from "~/features/sales/deposit";
import { RowAct } from "~/features/sales/holds-and-quotes/RowAct";
import { recordUrl } from "~/features/sales/urls";
import { Link } from "~/ui/navigation";
import type { TodayPage } from "./page.server";
import { Panel, Row } from "./waiting-parts";

type Agreed = TodayPage["pickUps"][number];

/** Text of an accepted quote: its person, and what is paid of it. */
function agreedText({ name, totalCents, paidCents, addedTax }: Agreed): string {
  return `${name}, ${paidCents > 0 ? paidText({ paidCents, totalCents, addedTax }) : dollars(totalCents)}`;
}

/** Act that says whether the work of a quote is ready. */
interface ReadyAct {
  intent: "ready" | "notReady";
  label: string;
}

/** Row of an accepted quote, which its sale ends. */
function AgreedRow({ quote, when, act }: { quote: Agreed; when: ReactNode; act: ReadyAct }) {
  const { id, title, chatUrl } = quote;
  const sale = (
    <Link
      className="btn small"
      to={recordUrl({ quoteId: id, from: "today" })}
      aria-label={`Record sale: ${title}`}
    >
      Record sale
    </Link>
  );
  const change = <RowAct field="quoteId" id={id} busy="Saving..." name={`${act.label}: ${title}`} {...act} />;
  return (
    <Row
      name={title}
      to={chatUrl}
      text={agreedText(quote)}
      when={when}
      acts={
        <>
          {act.intent === "ready" && change}
          {sale}
          {act.intent === "notReady" && change}
        </>
      }
    />
  );
}

const ALL_ACCEPTED = { to: "/admin/quotes?state=accepted", label: "All accepted" };

/** Work that is done and waits for being fetched. */
export function PickUps({ page: { pickUps, counts } }: { page: TodayPage }) {
  return (
    <Panel
      id="waiting-pick-ups"
      title="Pick-ups"
      note={`${counts.pickUps} ready, on the shelf`}
      all={ALL_ACCEPTED}
    >
      {pickUps.map((quote) => (
        <AgreedRow
          key={quote.id}
          quote={quote}
          when={<span className="waiting-when">since {quote.readySince}</span>}
          act={{ intent: "notReady", label: "Not ready" }}
        />
      ))}
    </Panel>
  );
}

/** Work that is promised, by its day. */
export function Jobs({ page: { jobs, counts } }: { page: TodayPage }) {
  return (
    <Panel
      id="waiting-jobs"
      title="Engraving"
      note={`${counts.jobs} to do, by the day that is promised`}
      all={ALL_ACCEPTED}
    >
      {jobs.map((quote) => (
        <AgreedRow
          key={quote.id}
          quote={quote}
          when={<Due due={quote.due} ready={quote.ready} />}
          act={{ intent: "ready", label: "Ready" }}
        />
      ))}
    </Panel>
  );
}

function Due({ due, ready }: Pick<TodayPage["jobs"][number], "due" | "ready">) {
  if (due === "today") return <span className="state-label go">Today</span>;
  if (due === "late") return <span className="state-label late">{`Was due ${ready}`}</span>;
  return <span className="waiting-when">{ready || "no day"}</span>;
}
