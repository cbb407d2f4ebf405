import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type CashRounding, cashStepCents } from "~/domain/cash-rounding";
import { dollars } from "~/domain/money";
import { cashRounding, taxOf } from "~/domain/tax";
import { fillPlaceholders } from "~/features/chat/responses";
import type { Answerer } from "~/features/chat/rooms";
import { formatReplyTime } from "~/features/chat/time";
import { Icon } from "~/ui/Icon";
import { Picture } from "~/ui/Picture";
import type { ChosenProduct } from "./home-draft";
import type { SettingsPageData } from "./page.server";
import { SettingsPart } from "./SettingsScreen";
import type { TaxSettings } from "./tax";

/** Values of a form as it sends them. */
export type TypedValues = Record<string, unknown>;

const textOf = (typed: TypedValues, name: string) => (typeof typed[name] === "string" ? typed[name] : "");

/** Reads a form. @returns the values of before for a disabled one, which has none and is not typed into */
const typedIn = (form: HTMLFormElement | null) => (before: TypedValues) =>
  !form || form.querySelector("fieldset:disabled") ? before : Object.fromEntries(new FormData(form));

/** Keeps what is typed into a form, for its preview. @param values that the form is drawn with */
export function useTyped(values: TypedValues) {
  const ref = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(values);
  const read = () => setTyped(typedIn(ref.current));
  // A draft may have been restored.
  useEffect(() => setTyped(typedIn(ref.current)), []);
  // The fields are reset after the event.
  return { typed, watch: { ref, onInput: read, onReset: () => void setTimeout(read) } };
}

interface ActProps {
  act: string;
  label: string;
  /** Object of the act, for readers who don't see where the button stands. */
  of: string;
  className?: string;
}

/** Button that answers with the unsaved form. */
export function Act({ act, label, of, className = "btn small" }: ActProps) {
  return (
    <button type="submit" className={className} name="act" value={act} formNoValidate>
      {label}
      <span className="visually-hidden"> of {of}</span>
    </button>
  );
}

/** Presses the button of a search by Enter, which would save the form. */
export function searchOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const button = event.currentTarget.form?.querySelector<HTMLButtonElement>('button[value="find"]');
  event.currentTarget.form?.requestSubmit(button);
}

interface PreviewPartProps {
  of: string;
  note: string;
  mayEdit: boolean;
  /** Scripts draw what is typed, so that the button is needed without them alone. */
  isLive?: boolean;
  children: ReactNode;
}

/** Part of a form that shows how it reads in the shop before it is saved. */
export function PreviewPart({ of, note, mayEdit, isLive = true, children }: PreviewPartProps) {
  return (
    <SettingsPart title="As a shopper reads it" note={note}>
      {children}
      {mayEdit && (
        <span className={isLive ? "without-script" : undefined}>
          <Act act="preview" label="Preview" of={of} />
        </span>
      )}
    </SettingsPart>
  );
}

interface PreviewProps {
  typed: TypedValues;
  page: SettingsPageData;
}

const SOCIAL = [
  ["instagram", "Instagram"],
  ["facebook", "Facebook"],
  ["tiktok", "TikTok"],
] as const;

/** Head, place and foot of the shop. */
export function ShopPreview({ typed, page: { values, usual } }: PreviewProps) {
  const text = (name: string) => textOf(typed, name).trim();
  const links = SOCIAL.filter(([name]) => text(name)).map(([, label]) => label);
  return (
    <div className="settings-look">
      <p className="look-brand">
        {values.logo && textOf(typed, "removesLogo") !== "on" ? (
          <Picture image={`minio:${values.logo}`} alt="" sizes="40px" width={40} />
        ) : (
          <Icon name="store" />
        )}
        <b>{text("name") || "No name"}</b>
      </p>
      <p>
        It is ready {text("pickup")}.{text("address") && ` ${text("address")}.`}
        {text("mapUrl") && (
          <>
            {" "}
            <u>Show on the map</u>
          </>
        )}
      </p>
      <p>{[text("phone"), text("supportEmail"), ...links].filter(Boolean).join(" · ")}</p>
      <p className="soft">
        Receipts: {text("goodsName") || text("name")} (E-…) and {text("engravingName") || usual.engravingName}{" "}
        (L-…). Mails come from {text("mailFrom")}.
      </p>
    </div>
  );
}

/** Price of the product on the sample receipt, which no multiple of a rounding is. */
const SAMPLE_CENTS = 2402;

/** Receipt of 80 mm. */
export function ReceiptPreview({ typed, page: { values, businesses, preview, taxes } }: PreviewProps) {
  const own = textOf(typed, "receiptText").trim();
  const tax = taxes.find(({ business, number }) => business === "EMPORIA" && number);
  return (
    <div className="settings-look receipt-look">
      <b>{businesses.EMPORIA}</b>
      {values.address && <p>{values.address}</p>}
      {tax && <p>{`${tax.name} ${tax.number}`}</p>}
      <SampleSums tax={tax} step={cashStepCents(textOf(typed, "cashRounding") as CashRounding)} />
      {own && <p className="own-text">{own}</p>}
      {textOf(typed, "receiptHours") === "on" &&
        preview.lines.map(({ days, times }) => (
          <p key={days}>
            {days} {times}
          </p>
        ))}
    </div>
  );
}

/** Sums of the sample, as a receipt states them. @param tax undefined without registration */
function SampleSums({ tax, step }: { tax: TaxSettings | undefined; step: number }) {
  const taxCents = tax ? taxOf(SAMPLE_CENTS, tax) : 0;
  const exact = SAMPLE_CENTS + (tax?.isIncluded ? 0 : taxCents);
  const rounding = cashRounding(exact, step);
  return (
    <dl>
      <Sum label="1 × Canvas tote" cents={SAMPLE_CENTS} />
      {tax && <Sum label="Before tax" cents={exact - taxCents} />}
      {tax && (
        <Sum label={`${tax.name} ${tax.rate / 100}%${tax.isIncluded ? ", included" : ""}`} cents={taxCents} />
      )}
      {rounding !== 0 && <Sum label="Rounding, cash" cents={rounding} sign={rounding > 0 ? "+" : ""} />}
      <Sum label="Total, cash" cents={exact + rounding} />
    </dl>
  );
}

const Sum = ({ label, cents, sign = "" }: { label: string; cents: number; sign?: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{sign + dollars(cents)}</dd>
  </div>
);

interface HomePreviewProps {
  typed: TypedValues;
  usual: SettingsPageData["usual"];
  /** Product of the hero; null for the picture that the shop brings along. */
  hero: ChosenProduct | null;
  featured: ChosenProduct[];
}

/** Home page, made small. */
export function HomePreview({ typed, usual, hero, featured }: HomePreviewProps) {
  return (
    <div className="settings-look home-look">
      <div>
        <div>
          <b>{textOf(typed, "headline").trim() || usual.headline}</b>
          <p>{textOf(typed, "introduction").trim() || usual.introduction}</p>
        </div>
        {hero ? <SmallProduct product={hero} /> : <p className="no-hero">A product that the shop chooses</p>}
      </div>
      <ul>
        {featured.map((product) => (
          <li key={product.id}>
            <SmallProduct product={product} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const SmallProduct = ({ product: { name, image, priceCents } }: { product: ChosenProduct }) => (
  <span className="small-product">
    <Picture image={image} alt={name} sizes="120px" width={120} />
    <span className="num">{dollars(priceCents)}</span>
  </span>
);

interface ChatPreviewProps {
  typed: TypedValues;
  chat: Answerer;
  page: Pick<SettingsPageData, "values" | "place">;
}

/** Head of the chat in the shop with its automatic messages. */
export function ChatPreview({ typed, chat, page: { values, place } }: ChatPreviewProps) {
  const { replySeconds } = chat;
  const answererPicture = textOf(typed, "removesPicture") === "on" ? null : chat.answererPicture;
  const name = textOf(typed, "answererName").trim() || values.name;
  const isOnline = textOf(typed, "isOnline") === "on";
  const state = isOnline ? "Online" : "Away";
  const visitor = { name: "", product: "", pickup: values.pickup, words: "", ...place };
  return (
    <div className="settings-look chat-look">
      <div>
        {answererPicture ? (
          <Picture image={answererPicture} alt="" sizes="40px" width={40} />
        ) : (
          <span className="initial" aria-hidden="true">
            {name.slice(0, 1)}
          </span>
        )}
        <div>
          <b>{name}</b>
          <p>
            {isOnline && replySeconds !== null
              ? `Usually replies in ${formatReplyTime(replySeconds)}`
              : state}
          </p>
        </div>
      </div>
      <Bubble label="First" text={textOf(typed, "welcomeMessage")} />
      <Bubble label="When away" text={fillPlaceholders(textOf(typed, "offlineMessage"), visitor)} />
    </div>
  );
}

function Bubble({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <small className="soft">{label}</small>
      <p className={text.trim() ? "bubble" : "soft"}>{text.trim() || "Nothing is sent"}</p>
    </div>
  );
}
