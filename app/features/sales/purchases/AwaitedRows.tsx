import { pages } from "~/features/catalogue/browser-cache";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import type { AwaitedUnit } from "./view";

/** Section of what the reader waits for, each with a way to stop. @param hasMore there are others that are not listed */
export function AwaitedRows({ awaited, hasMore }: { awaited: AwaitedUnit[]; hasMore: boolean }) {
  return (
    <section aria-label="Back in stock">
      <h2>Back in stock</h2>
      <ul className="purchase-rows">
        {awaited.map((unit) => (
          <Row key={unit.id} unit={unit} />
        ))}
      </ul>
      {hasMore && (
        <p>
          <Link className="link" to="/purchases?waits=all" preventScrollReset>
            Show all
          </Link>
        </p>
      )}
    </section>
  );
}

function Row({ unit: { id, title, image, path, amount, isAvailable, promise } }: { unit: AwaitedUnit }) {
  return (
    <li>
      <span className="purchase-picture" aria-hidden="true">
        {image ? <Picture image={image} alt="" sizes="56px" width={56} /> : <Icon name="bell" />}
      </span>
      <div className="purchase-text">
        <b dir="auto">{title}</b>
        <span className="soft">{isAvailable ? "It can be bought now." : "Sold out."}</span>
        <span className="purchase-ready">
          <Icon name="bell" className="i s" /> {promise}
        </span>
      </div>
      <p className="purchase-amount">
        <b>{amount}</b>
      </p>
      <div className="purchase-acts">
        <Form method="post" preventScrollReset onSubmit={() => pages.expire()}>
          <input type="hidden" name="request" value={id} />
          <button
            type="submit"
            name="intent"
            value="stopWaiting"
            className="btn btn-quiet"
            aria-label={`Stop waiting for ${title}`}
          >
            Stop
          </button>
        </Form>
        <Link className="link" to={path} aria-label={`See it: ${title}`}>
          See it
        </Link>
      </div>
    </li>
  );
}
