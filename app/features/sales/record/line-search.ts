import { useRef, useState } from "react";
import { looksLikeCode, lookUpCode } from "~/features/codes/lookup";
import { foundUnits, type ListedProduct, MAX_FOUND, type SaleProduct, unitOfCode } from "./draft";
import { onlyHit } from "./only-hit";
import type { LookUps } from "./useLinesForm";

const searchUrl = (search: string) =>
  `/api/product/all?${new URLSearchParams({ raw: "1", hidden: "1", limit: String(MAX_FOUND), search })}`;

/** Asks the shop for products, by words or an exact code. @returns none when it fails */
async function findProducts(text: string): Promise<SaleProduct[]> {
  const answer = await fetch(searchUrl(text.trim())).catch(() => null);
  return answer?.ok ? foundUnits((await answer.json()) as ListedProduct[], text) : [];
}

/** Searches while the seller types; an answer that a newer text has overtaken is dropped. */
export function useSearch(known: ReadonlyMap<string, SaleProduct>, initial: string) {
  const [text, setText] = useState(initial);
  const [isTyped, setTyped] = useState(false);
  const [found, setFound] = useState<{ text: string; products: SaleProduct[] }>({ text: "", products: [] });
  const latest = useRef("");
  const find = async (wanted: string) => {
    const products = await findProducts(wanted);
    return products.map((product) => ({ ...product, heldPieces: known.get(product.id)?.heldPieces ?? 0 }));
  };
  const set = (next: string) => {
    setText(next);
    setTyped(true);
    latest.current = next;
    if (next.trim() === "") return;
    void find(next).then((products) => latest.current === next && setFound({ text: next, products }));
  };
  return { text, isTyped, set, find, isAnswered: found.text === text, products: found.products };
}

/**
 * Adds products by what was typed and sent, in the order of typing: that of an exact code, else the only one that the text
 * means.
 *
 * @param put adds a product
 * @param giveBack gets a text that means no single product
 * @param ask gets a code that no product has
 */
export function useLookUp(
  search: ReturnType<typeof useSearch>,
  { begin, end }: LookUps,
  put: (product: SaleProduct) => void,
  others: { giveBack: (text: string) => void; ask: (code: string) => void },
) {
  const last = useRef(Promise.resolve());
  const latest = useRef({ put, ...others });
  latest.current = { put, ...others };
  return (text: string) => {
    begin(text);
    last.current = last.current.then(async () => {
      const { hit, isUnknown } = await findOne(text, search.find);
      // Together with its line: a form that waits for it is sent with both.
      end();
      if (hit) latest.current.put(hit);
      else if (isUnknown) latest.current.ask(text);
      else latest.current.giveBack(text);
    });
  };
}

/** Finds the only product that a text means: that of an exact code, else of a search, unless the text looks like a code. */
async function findOne(text: string, find: (text: string) => Promise<SaleProduct[]>) {
  const [hit, second] = ((await lookUpCode(text)) ?? []).map(unitOfCode);
  if (hit) return { hit: second ? undefined : await withSiblings(hit, () => find(text)), isUnknown: false };
  if (looksLikeCode(text)) return { hit: undefined, isUnknown: true };
  return { hit: onlyHit(text, await find(text)), isUnknown: false };
}

/** Adds to a unit that a code has found the others of its product, which a search for the code finds too. */
async function withSiblings(unit: SaleProduct, find: () => Promise<SaleProduct[]>): Promise<SaleProduct> {
  if (unit.choice === "") return unit;
  return (await find()).find(({ id }) => id === unit.id) ?? unit;
}
