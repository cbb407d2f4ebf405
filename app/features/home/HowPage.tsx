import { CURRENCY_NAME } from "~/domain/currency";
import { ContentsPage } from "~/ui/ContentsPage";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { useSite } from "~/ui/site";
import type { howPage } from "./how.server";

type HowPageProps = Awaited<ReturnType<typeof howPage>>;

const CONTENTS = [
  { id: "steps", title: "From looking to collecting" },
  { id: "prices", title: "Prices and paying" },
  { id: "engraving", title: "Engraving and quotes" },
  { id: "returns", title: "Returns" },
  { id: "contact", title: "Contact and hours" },
] as const;

const days = (count: number) => (count === 1 ? "one day" : `${count} days`);

/** Page that explains how one buys without a checkout. */
export function HowPage({ opening, tax, holdDays, quoteDays, returns }: HowPageProps) {
  const bodies = {
    steps: <Steps holdDays={holdDays} />,
    prices: <Prices tax={tax} />,
    engraving: <Engraving quoteDays={quoteDays} />,
    returns: returns.map((text) => (
      <p key={text} dir="auto">
        {text}
      </p>
    )),
    contact: <Contact opening={opening} />,
  };
  return (
    <ContentsPage
      title="How buying works"
      lead="There is no checkout. You look round, you ask us, and you pay when you collect."
      contents={[...CONTENTS]}
    >
      {CONTENTS.map(({ id, title }) => (
        <section key={id} id={id}>
          <h2>{title}</h2>
          {bodies[id]}
        </section>
      ))}
    </ContentsPage>
  );
}

function Steps({ holdDays }: { holdDays: number }) {
  return (
    <>
      <ul>
        <li>
          <b>Look round.</b> Prices and stock in the shop are those of the shelf. Put what you like in the
          cart; nothing is ordered by that.
        </li>
        <li>
          <b>Ask.</b> “Buy Now” and “Chat with Seller” write to us with the product, colour and quantity. No
          account is needed, and you pay nothing here.
        </li>
        <li>
          <b>We set it aside.</b> We check the shelf and keep your things for you{" "}
          {holdDays === 0 ? "until we close" : `for ${days(holdDays)}`}; longer, if you ask.
        </li>
        <li>
          <b>Collect and pay.</b> Your receipt comes into the conversation, and stays under{" "}
          <Link className="link" to="/purchases">
            My purchases
          </Link>
          .
        </li>
      </ul>
      <p>
        <Link className="btn btn-talk" to="/chat?ask">
          <Icon name="message-circle" /> Ask us
        </Link>
      </p>
    </>
  );
}

function Prices({ tax }: { tax: string }) {
  return (
    <>
      <p>
        Amounts are in {CURRENCY_NAME}. {tax}
      </p>
      <p>You pay in person when you collect: cash, card or e-transfer. We store no card or bank details.</p>
    </>
  );
}

function Engraving({ quoteDays }: { quoteDays: number }) {
  const { LASER } = useSite().businesses;
  return (
    <p>
      Tell {LASER} your words, or send a picture. You get a quote in the conversation, valid for{" "}
      {days(quoteDays)}, with the day on which it is ready. Nothing is cut before you accept. For larger work
      we may ask for a deposit; it counts towards the price, and its receipt says what is left to pay.
    </p>
  );
}

function Contact({ opening }: { opening: string }) {
  const { phone, supportEmail } = useSite();
  return (
    <>
      {opening && <p>{opening}.</p>}
      <ul>
        {phone && (
          <li>
            Phone:{" "}
            <a className="link" href={`tel:${phone.replace(/[^+\d]/g, "")}`}>
              {phone}
            </a>
          </li>
        )}
        {supportEmail && (
          <li>
            Email:{" "}
            <a className="link" href={`mailto:${supportEmail}`}>
              {supportEmail}
            </a>
          </li>
        )}
      </ul>
      <Place />
    </>
  );
}

/** Address with its map, and the opening hours. */
function Place() {
  const { address, mapUrl, hours } = useSite().pickup;
  return (
    <>
      {address && (
        <p>
          {address}.{" "}
          {mapUrl && (
            <a className="link" href={mapUrl} target="_blank" rel="nofollow noreferrer">
              Show on the map
            </a>
          )}
        </p>
      )}
      <ul>
        {hours.map(({ days: on, times }) => (
          <li key={on}>
            {on}: {times}
          </li>
        ))}
      </ul>
    </>
  );
}
