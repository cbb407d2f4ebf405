import { useLocation } from "@remix-run/react";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { pictureId, showPicture } from "~/features/catalogue/Gallery";
import { choiceField, choiceUrl, unitOf, unitsIn } from "~/features/catalogue/unit-choice";
import { BUY_FORM } from "~/features/chat/open-chat";
import type { ChosenProduct, ProductDetail } from "./BuyBox";
import { ChoiceFields } from "./ChoiceFields";

interface UnitChoiceProps {
  /** Product with options. */
  product: ProductDetail;
  children: (product: ChosenProduct) => ReactNode;
}

/** Holds the choice of a product with options; price, stock, picture and address follow it. */
export default function UnitChoice({ product, children }: UnitChoiceProps) {
  const { id, choices, picture } = product;
  useEffect(() => {
    if (picture > 0) showPicture(picture);
  }, [picture]);
  const { chosen, choose } = useChoice(product);
  const units = unitsIn(choices);
  const unit = unitOf(units, chosen) ?? null;
  return children({
    ...product,
    ...{ chosen, units },
    // Its options have fields of their own.
    choices: { ...choices, colors: [] },
    ...{ priceCents: product.priceCents, stock: 0, ...unit?.unit },
    ...{ path: choiceUrl(id, choices.options ?? [], chosen) },
    choice: unit?.name ?? null,
    note: <span className="soft">{chosen.join(", ")}</span>,
    fields: (
      <>
        {picture > 0 && <style>{`@media (scripting: none) { #${pictureId(picture)} { order: -1 } }`}</style>}
        <ChoiceFields product={product} chosen={chosen} onChoose={choose} />
        <input type="hidden" name="color" value={unit?.name ?? ""} />
      </>
    ),
  });
}

/** Keeps the chosen value of each option, until the page is opened anew. */
function useChoice({ id, choices, chosen: opened }: ProductDetail) {
  const { key } = useLocation();
  const [own, setOwn] = useState({ key, chosen: opened });
  const chosen = own.key === key ? own.chosen : opened;
  const choose = (option: number, value: string) => {
    const next = chosen.with(option, value);
    setOwn({ key, chosen: next });
    history.replaceState(history.state, "", choiceUrl(id, choices.options ?? [], next));
    const picture = unitOf(unitsIn(choices), next)?.picture;
    if (typeof picture === "number") showPicture(picture);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was chosen before hydration
  useEffect(() => {
    const fields = new FormData(document.getElementById(BUY_FORM) as HTMLFormElement);
    const early = chosen.map((value, i) => String(fields.get(choiceField(i)) ?? value));
    if (early.join("\n") !== chosen.join("\n")) startTransition(() => setOwn({ key, chosen: early }));
  }, []);
  return { chosen, choose };
}
