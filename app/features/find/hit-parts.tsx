import type { ReactNode } from "react";
import { dollars } from "~/domain/money";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import type { Hit } from "./hits";

/** Picture or icon of a hit, its texts, and its amount or time. */
export function HitContent({ hit, q }: { hit: Hit; q: string }) {
  const { icon, image, title, text, cents, time } = hit;
  return (
    <>
      <span className="find-icon">
        {image ? (
          <img src={image} alt="" width={28} height={28} />
        ) : (
          <Icon name={icon as IconName} className="i s" />
        )}
      </span>
      <span className="grow">
        <span className="find-title">
          <Marked text={title} q={q} />
        </span>
        <small>
          <Marked text={text} q={q} />
        </small>
      </span>
      {cents !== undefined && <span className="num">{dollars(cents)}</span>}
      {time && <span className="find-time">{time}</span>}
    </>
  );
}

/** Text in which the words of a search are marked. */
function Marked({ text, q }: { text: string; q: string }): ReactNode {
  const words = q.split(/\s+/).filter((word) => word.length > 1);
  if (words.length === 0) return text;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // Matches stand at the odd places.
  const parts = text.split(new RegExp(`(${escaped.join("|")})`, "gi"));
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
  return parts.map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part));
}

/** Explanation of a search without hits. */
export function NothingFound({ q }: { q: string }) {
  return (
    <div className="find-nothing">
      <h2>{`Nothing has “${q}”`}</h2>
      <p>Searched were products, customers, documents, chats, expenses, settings and acts.</p>
      <dl>
        {HINTS.map(([what, how]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const HINTS = [
  ["Document", "E-2026-000124, or a part such as 000124"],
  ["Amount", "268 or 268.00"],
  ["Product", "words of its name, its SKU or its whole barcode"],
  ["Person", "name, email or digits of the phone number"],
] as const;
