import { useLocation } from "@remix-run/react";
import { grouped } from "~/domain/grouped";
import { dollars } from "~/domain/money";
import { waitingText } from "~/features/restock/waiting-text";
import { type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { movementsUrl } from "./list-params";
import type { MovementsPanel as Panel } from "./operations/movements.server";
import { signed } from "./stock-edit";

interface MovementsPanelProps {
  panel: Panel;
  params: ListParams;
}

type Movement = Panel["movements"][number];

/** Shows a product's stock, holds and the movements that add up to the stock. */
export function MovementsPanel({ panel, params }: MovementsPanelProps) {
  const { product, waiting, holds, hasMoreHolds } = panel;
  return (
    <aside className="panel movements" aria-labelledby="movements-title" id="movements">
      <header>
        <div className="grow">
          <h2 id="movements-title">{product?.name ?? "Deleted product"}</h2>
          {product?.choice && <p>{product.choice}</p>}
          {product && (
            <p>
              {dollars(product.priceCents)},{" "}
              <Link className="quiet-link" to={`/products/${encodeURIComponent(product.id)}`}>
                product page
              </Link>
            </p>
          )}
          {waiting > 0 && <p>{waitingText(waiting)}</p>}
        </div>
        <Link className="tool-button" to={listUrl(params)} aria-label="Close" preventScrollReset>
          <Icon name="x" />
        </Link>
      </header>
      {product && <Counts {...product} />}
      {holds.length > 0 && <Holds holds={holds} hasMoreHolds={hasMoreHolds} />}
      <Movements panel={panel} params={params} />
    </aside>
  );
}

function Counts({ stock, held, available }: { stock: number; held: number; available: number }) {
  const counts = [
    ["Stock", stock],
    ["On hold", held],
    ["Available", available],
  ] as const;
  return (
    <dl className="counts">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{grouped(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Holds({ holds, hasMoreHolds }: Pick<Panel, "holds" | "hasMoreHolds">) {
  const { pathname, search } = useLocation();
  return (
    <section aria-labelledby="panel-holds">
      <h3 id="panel-holds">On hold</h3>
      <ul className="panel-holds">
        {holds.map(({ id, quantity, until, createdBy, name, chatId, customerId }) => (
          <li key={id}>
            <b>{quantity}</b>
            <span className="grow">
              <HoldName name={name} chatId={chatId} customerId={customerId} />
              <small>{`until ${until}, by ${createdBy}`}</small>
            </span>
            <Form method="post" action={pathname + search} preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <SubmitButton intent="release" busy="Releasing..." className="btn small">
                Release
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
      {hasMoreHolds && <p className="soft">More are on hold. Listed is what ends first.</p>}
    </section>
  );
}

type HoldNameProps = Pick<Panel["holds"][number], "name" | "chatId" | "customerId">;

function HoldName({ name, chatId, customerId }: HoldNameProps) {
  const to = chatId
    ? `/admin/chat?chat=${encodeURIComponent(chatId)}`
    : customerId && `/admin/customers/${encodeURIComponent(customerId)}`;
  const label = name || "No name";
  return to ? (
    <Link className="quiet-link" to={to}>
      {label}
    </Link>
  ) : (
    label
  );
}

const REASONS: Record<Movement["reason"], string> = {
  opening: "Opening",
  adjustment: "Adjustment",
  import: "Import",
  sale: "Sale",
  return: "Return",
};

function Movements({ panel, params }: MovementsPanelProps) {
  const { movements, older, isNewest } = panel;
  return (
    <section aria-labelledby="panel-movements">
      <h3 id="panel-movements">Movements</h3>
      {movements.length === 0 ? (
        <p className="soft">The stock has never changed.</p>
      ) : (
        <MovementTable movements={movements} />
      )}
      {!panel.product?.isSum && <SumLine panel={panel} />}
      <nav className="button-row" aria-label="Movements">
        {!isNewest && (
          <Link className="btn small" to={movementsUrl(params, panel.id)} preventScrollReset>
            Newest
          </Link>
        )}
        {older !== null && (
          <Link className="btn small" to={movementsUrl(params, panel.id, older)} preventScrollReset>
            Older movements
          </Link>
        )}
      </nav>
    </section>
  );
}

function MovementTable({ movements }: Pick<Panel, "movements">) {
  return (
    <table className="movement-table">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" className="num">
            Change
          </th>
          <th scope="col">Reason</th>
          <th scope="col" className="num">
            Stock
          </th>
        </tr>
      </thead>
      <tbody>
        {movements.map((movement) => (
          <MovementLine key={movement.id} movement={movement} />
        ))}
      </tbody>
    </table>
  );
}

function MovementLine({ movement }: { movement: Movement }) {
  const { day, quantity, reason, actor, choice, documentId, documentNumber, stockAfter } = movement;
  return (
    <tr>
      <td className="soft">{day}</td>
      <td className={quantity < 0 ? "num" : "num plus"}>{signed(quantity)}</td>
      <td>
        <b>
          {REASONS[reason]}
          {documentId && documentNumber && (
            <>
              {" "}
              <Link className="quiet-link" to={`/admin/documents/${encodeURIComponent(documentId)}`}>
                {documentNumber}
              </Link>
            </>
          )}
        </b>
        <small>{[choice, actor || "The system"].filter(Boolean).join(", ")}</small>
      </td>
      <td className="num soft">{grouped(stockAfter)}</td>
    </tr>
  );
}

/** Says that the movements add up to the stock. */
function SumLine({ panel: { movements, carried, sum, older, isNewest, product } }: { panel: Panel }) {
  const [newest] = movements;
  if (!newest) return null;
  const isRight = sum === (isNewest && product ? product.stock : newest.stockAfter);
  const count = movements.length === 1 ? "The movement" : `The ${movements.length} movements`;
  const before = older === null ? "" : ` and the ${grouped(carried)} before them`;
  return (
    <p className="sum-line">
      <Icon name={isRight ? "check" : "circle-alert"} className="i s" />
      {isRight
        ? `${count}${before} add${movements.length === 1 && !before ? "s" : ""} up to ${grouped(sum)}`
        : `${count}${before} add up to ${grouped(sum)}, but the stock is ${grouped(product?.stock ?? 0)}`}
    </p>
  );
}
