import { useActionData, useLocation } from "@remix-run/react";
import { dollars } from "~/domain/money";
import { MAX_STOCK } from "~/domain/stock-levels";
import { consoleUrl } from "~/features/chat/console-params";
import { RowAct } from "~/features/sales/holds-and-quotes/RowAct";
import { drawerUrl, NEW_SALE_PATH, recordUrl, withdrawUrl } from "~/features/sales/urls";
import { FirstRun } from "~/features/settings/first-run/FirstRun";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { UnreadCount } from "~/ui/UnreadCount";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { Jobs, PickUps } from "./AgreedWork";
import type { TodayPage } from "./page.server";
import { Panel, Row, Wait } from "./waiting-parts";

/** Page of what waits, each with its act: left what people wait for, right what the shop owes. */
export function TodayScreen({ page }: { page: TodayPage }) {
  const refused = useActionData<RefusedForm>();
  const { chats, holds, quotes, jobs, pickUps, stock, drawers } = page;
  const isClear = [chats, holds, quotes, jobs, pickUps, stock, drawers].every((rows) => rows.length === 0);
  return (
    <>
      <StatusRegion message={refused?.failure ?? page.failure} answer={refused ?? page} />
      <Problems problems={page.problems} />
      <FirstRun steps={page.firstRun} />
      {isClear && page.failure === null ? (
        <>
          <Clear hasDashboard={page.hasDashboard} />
          <AllWell {...page} />
        </>
      ) : (
        <div className="waiting-columns">
          <div>
            <Chats page={page} />
            <Holds page={page} />
            <Quotes page={page} />
          </div>
          <div>
            <PickUps page={page} />
            <Jobs page={page} />
            <Stock page={page} />
            <Drawers page={page} />
            <AllWell {...page} />
          </div>
        </div>
      )}
    </>
  );
}

/** Says that the night was good, to who may see Health, once there was one. */
function AllWell({ problems, hasRun }: Pick<TodayPage, "problems" | "hasRun">) {
  if (problems?.length !== 0 || !hasRun) return null;
  return (
    <p className="all-well">
      <Icon name="check" className="i s" />
      <span>
        The night was good.{" "}
        <Link className="quiet-link" to="/admin/health">
          Health
        </Link>
      </span>
    </p>
  );
}

/** Names what failed in the night, above everything else. */
function Problems({ problems }: Pick<TodayPage, "problems">) {
  if (!problems?.length) return null;
  return (
    <section className="panel waiting night-failed" aria-labelledby="night-title">
      <header>
        <h2 id="night-title">Last night</h2>
        <p>Sales, chats and stock are not affected.</p>
      </header>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>
            <Icon name="circle-alert" className="i s" />
            <p className="grow">{problem}</p>
            <Link className="btn small" to="/admin/health">
              Open Health
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Clear({ hasDashboard }: Pick<TodayPage, "hasDashboard">) {
  return (
    <section className="panel">
      <div className="empty-state">
        <span className="empty-state-icon">
          <Icon name="check" />
        </span>
        <h2>Nothing waits</h2>
        <p>Every chat is answered, no hold ends today, and nothing has run out.</p>
        <div className="button-row">
          <Link className="btn primary" to={NEW_SALE_PATH}>
            Record sale
          </Link>
          {hasDashboard && (
            <Link className="btn" to="/admin">
              Dashboard
            </Link>
          )}
        </div>
      </div>
    </section>
  );
}

function Chats({ page: { chats, counts } }: { page: TodayPage }) {
  return (
    <Panel
      id="waiting-chats"
      title="Conversations"
      note={`${counts.chats} without an answer, oldest first`}
      all={{ to: consoleUrl(), label: counts.open ? `All ${counts.open} open` : "All" }}
      more={
        counts.moreChats !== null && [
          { to: consoleUrl({ filter: "unanswered" }), label: `${counts.moreChats} more without an answer` },
        ]
      }
    >
      {chats.map(({ id, name, to, text, unread, waits, whose }, i) => (
        <Row
          key={id}
          name={name}
          to={to}
          mark={<UnreadCount count={unread} />}
          text={`“${text}”, ${whose}`}
          when={<Wait label="waiting">{waits}</Wait>}
          acts={
            <Link
              className={i === 0 ? "btn small primary" : "btn small"}
              to={to}
              aria-label={`Answer ${name}`}
            >
              Answer
            </Link>
          }
        />
      ))}
    </Panel>
  );
}

function Holds({ page: { holds, counts } }: { page: TodayPage }) {
  return (
    <Panel
      id="waiting-holds"
      title="Set aside until today"
      note={`${counts.holds} to put back, extend or sell`}
      all={{ to: "/admin/holds?state=active", label: "All holds" }}
    >
      {holds.map((hold) => (
        <Row
          key={hold.id}
          name={hold.name}
          to={hold.to}
          text={hold.worthCents === null ? hold.items : `${hold.items}, ${dollars(hold.worthCents)}`}
          when={
            hold.left === null ? (
              <span className="state-label go">Time ran out</span>
            ) : (
              <Wait label="ends in">{hold.left}</Wait>
            )
          }
          acts={<HoldActs hold={hold} />}
        />
      ))}
    </Panel>
  );
}

function HoldActs({ hold: { id, name, left } }: { hold: TodayPage["holds"][number] }) {
  const shared = { id };
  return (
    <>
      <RowAct
        {...shared}
        intent="release"
        busy="Putting back..."
        label="Put back"
        name={`Put back for ${name}`}
      />
      {left !== null && (
        <>
          <RowAct
            {...shared}
            intent="extend"
            busy="Extending..."
            label="Extend"
            name={`Extend for ${name}`}
          />
          <Link
            className="btn small"
            to={recordUrl({ holdId: id, from: "today" })}
            aria-label={`Sold to ${name}`}
          >
            Sold
          </Link>
        </>
      )}
    </>
  );
}

function Quotes({ page: { quotes, counts } }: { page: TodayPage }) {
  return (
    <Panel
      id="waiting-quotes"
      title="Quotes"
      note={`${counts.quotes} without an answer`}
      all={{ to: "/admin/quotes?state=sent", label: "All quotes" }}
    >
      {quotes.map(({ id, name, to, chatUrl, title, totalCents, sent, until }) => (
        <Row
          key={id}
          name={name}
          to={to}
          text={`${title}, ${dollars(totalCents)}, until ${until}`}
          when={<span className="waiting-when">sent {sent}</span>}
          acts={
            <>
              {chatUrl && (
                <Link className="btn small" to={chatUrl} aria-label={`Write to ${name}`}>
                  Write
                </Link>
              )}
              <Link
                className="btn small"
                to={withdrawUrl(id, "today")}
                aria-label={`Withdraw… the quote for ${name}`}
              >
                Withdraw…
              </Link>
            </>
          }
        />
      ))}
    </Panel>
  );
}

function Stock({ page: { stock, levels } }: { page: TodayPage }) {
  return (
    <Panel
      id="waiting-stock"
      title="Stock"
      note={levels ? `${levels.out} out, ${levels.low} low` : ""}
      more={[
        { to: "/admin/inventory-management?level=out", label: "All that is out" },
        { to: "/admin/inventory-management?level=low", label: "All that is low" },
      ]}
    >
      {stock.map((unit) => (
        <Row
          key={unit.id}
          name={unit.name}
          to={unit.to}
          mark={
            <span className={unit.stock === 0 ? "scarce out" : "scarce"}>
              {unit.stock === 0 ? "Out" : `${unit.stock} left`}
            </span>
          }
          text={unit.text}
          acts={<AddStock unit={unit} />}
        />
      ))}
    </Panel>
  );
}

/** Drawers that are to be closed in the evening. */
function Drawers({ page: { drawers } }: { page: TodayPage }) {
  return (
    <Panel id="waiting-drawers" title="Drawer" note="to count and close">
      {drawers.map(({ business, name, since, expectedCents }) => (
        <Row
          key={business}
          name={name}
          to={drawerUrl(business)}
          text={`Open since ${since}`}
          when={
            <span className="waiting-when">
              expected <b>{dollars(expectedCents)}</b>
            </span>
          }
          acts={
            <Link
              className="btn small"
              to={drawerUrl(business)}
              aria-label={`Count and close the drawer of ${name}`}
            >
              Count and close
            </Link>
          }
        />
      ))}
    </Panel>
  );
}

function AddStock({ unit: { id, name, change } }: { unit: TodayPage["stock"][number] }) {
  const { pathname } = useLocation();
  return (
    // A new change for each: the field is empty again.
    <Form key={change} method="post" action={pathname} className="add-stock" preventScrollReset>
      <input type="hidden" name="unitId" value={id} />
      <input type="hidden" name="change" value={change} />
      <input
        className="input"
        type="number"
        name="pieces"
        min={1}
        max={MAX_STOCK}
        inputMode="numeric"
        placeholder="+"
        required
        aria-label={`Pieces of ${name} that came in`}
      />
      <button
        type="submit"
        name="intent"
        value="addStock"
        className="btn small"
        aria-label={`Add stock of ${name}`}
      >
        Add stock
      </button>
    </Form>
  );
}
