import { readFileSync } from "node:fs";
import {
  type MappingChoices,
  NO_CHOICES,
  recogniseLayout,
} from "~/features/product-import/layouts/recognise";
import { mergeRows } from "~/features/product-import/merge-rows.server";
import { readDrafts } from "~/features/product-import/read-rows.server";
import { readSheet } from "~/features/product-import/readers/read-sheet.server";

const bytesOf = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/import/${name}`, import.meta.url)));

/** Reads a file up to the point where it is compared with the stored products. */
export async function readImport(name: string, choices: Partial<MappingChoices> = {}, bytes = bytesOf(name)) {
  const all = { ...NO_CHOICES, ...choices };
  const sheet = await readSheet(name, bytes, all.reading);
  const recognised = recogniseLayout(sheet, all, 1_800_000_000);
  const { entries, rejected, skipped } = mergeRows(
    readDrafts(recognised.drafts, all),
    () => 0,
    true,
    all.variantPrice,
  );
  return {
    sheet,
    reading: sheet.reading,
    title: recognised.title,
    unread: recognised.unread.map((column) => sheet.headers[column]),
    problem: recognised.problem,
    question: recognised.priceColumns?.map(({ header, kind }) => [header, kind]),
    products: entries.map(({ values: { priceCents: price, ...values }, rows, key }) => ({
      price,
      ...values,
      by: key && `${key.title} ${key.value}`,
      notes: rows.flatMap(({ draft }) => draft.notes),
    })),
    rejected: rejected.map(({ draft, error }) => [draft.row, error]),
    skipped: skipped.map(({ row, skip }) => [row, skip]),
  };
}
