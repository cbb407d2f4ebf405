import { parseCategory } from "~/features/catalogue/categories";
import { operation } from "~/http/operation.server";
import { fileResponse } from "./export.server";
import { kindKey } from "./layouts/recognise";
import type { KindGuess, Plan } from "./plan";
import { planRows } from "./plan.server";
import { type Prepared, prepareImport } from "./prepare.server";
import { rejectedRows, rejectedRowsName } from "./rejected-rows.server";
import { BulkUploadInput } from "./schema";
import { MAX_BYTES, textOf } from "./sheet";

const SHOWN_KINDS = 200;

/** Says what a bulk upload would do, row by row, and how the file was understood. Stores nothing. */
export const planBulkUpload = operation({
  access: "staff",
  input: BulkUploadInput,
  maxBytes: MAX_BYTES,
  accepts: "multipart",
  async run(context): Promise<Plan> {
    const { file, choices: said } = context.input;
    const prepared = await prepareImport(context, file, {
      choices: said,
      remembers: true,
      mayAsk: true,
      isTrial: true,
    });
    const { choices, folded, recognised } = prepared;
    const rows = await planRows(context.db, folded);
    const wantsPrice =
      !recognised.mapping.includes("price") &&
      !recognised.problem &&
      rows.some(({ why }) => why === folded.priceless);
    return {
      ...describeFile(file, prepared),
      remembered: !said && Boolean(choices?.columns),
      choices: choices && { columns: choices.columns, categories: choices.categories },
      rows,
      ...(wantsPrice && { wanting: "New products need a price, and no column is read as one" }),
    };
  },
});

/** The rows that storing would refuse, as the file that they would be. */
export const rejectedRowsOfPlan = operation({
  access: "staff",
  input: BulkUploadInput,
  maxBytes: MAX_BYTES,
  accepts: "multipart",
  async run(context): Promise<Response> {
    const { file, choices } = context.input;
    const { sheet, recognised, folded } = await prepareImport(context, file, {
      choices,
      remembers: true,
      isTrial: true,
    });
    const linesOf = new Map(recognised.drafts.map(({ row, lines }) => [row, lines]));
    const refused = new Map<number, string>();
    for (const { row, does, why = "" } of await planRows(context.db, folded))
      if (does === "refuse") for (const line of linesOf.get(row) ?? []) refused.set(line, why);
    const { type, body } = await rejectedRows(sheet, refused);
    return fileResponse(body, rejectedRowsName(file.name, type), type);
  },
});

function describeFile(
  file: File,
  { sheet, recognised }: Prepared,
): Omit<Plan, "rows" | "remembered" | "choices"> {
  return {
    fileName: file.name,
    bytes: file.size,
    sheetName: sheet.name,
    source: recognised.source,
    fileRows: sheet.rows.length,
    headers: sheet.headers,
    samples: sheet.headers.map((_, place) => textOf(sheet.rows[0]?.cells[place]).slice(0, 80)),
    mapping: recognised.mapping,
    kinds: kindsOf(recognised),
    ...(recognised.problem && { problem: recognised.problem }),
  };
}

/** The kinds that a file names: those that aren't known first, the most frequent of them before. */
function kindsOf({ drafts }: Prepared["recognised"]): KindGuess[] {
  const kinds = new Map<string, KindGuess>();
  for (const { kind, category, isUntyped = false } of drafts) {
    if (kind === "") continue;
    const known = kinds.get(kindKey(kind));
    if (known) known.products++;
    else
      kinds.set(kindKey(kind), {
        kind: kind.slice(0, 200),
        products: 1,
        category: parseCategory(category),
        isUntyped,
      });
  }
  const isKnown = ({ category }: KindGuess) => Number(category !== null);
  return [...kinds.values()]
    .sort((a, b) => isKnown(a) - isKnown(b) || b.products - a.products)
    .slice(0, SHOWN_KINDS);
}
