import type { AppError, ErrorDetail } from "~/http/errors";
import { LIST } from "./draft";

/** Fields of the forms beside their lines, as the foot names them. */
const FIELD_NAMES: Record<string, string> = {
  lines: "the lines",
  title: "the title",
  until: "the time",
  createdAt: "the date",
  paymentMode: "the payment mode",
  payments: "the payment",
  discount: "the discount",
  customerName: "the name on the receipt",
  customerEmail: "the email of the customer",
  readyBy: "the day it is ready",
  validUntil: "the day it is valid until",
  files: "the files",
  note: "the note",
  reason: "the reason",
  cashReceived: "the cash received",
};

/** Names the fields of an error, and its line or the number of its lines; empty without one. */
function faultyParts(details: ErrorDetail[]): { fields: string[]; lines: string } {
  const lineOf = (path: string) => /^lines\.(\d+)/.exec(path)?.[1];
  const [line, ...others] = new Set(details.flatMap(({ path }) => lineOf(path) ?? []));
  const ofFields = details.filter(({ path }) => lineOf(path) === undefined);
  const fields = ofFields.flatMap(({ path }) => FIELD_NAMES[path.split(".")[0] ?? ""] ?? []);
  const one = line === undefined ? "" : `Line ${Number(line) + 1}`;
  return { fields: [...new Set(fields)], lines: others.length > 0 ? `${others.length + 1} lines` : one };
}

/** Faults that stand in the foot alone: the forms have no place for them, that of a correction for fewer. */
const ONLY_IN_FOOT = ["the files"];
const NOT_IN_CORRECTION = [...ONLY_IN_FOOT, "the date", "the lines"];

/**
 * States the only fault of a form that is one of a line, or names the faulty fields and lines, where each fault stands.
 *
 * @param participle verb of the form
 */
export const lineFailure =
  (participle: "sold" | "held" | "quoted" | "corrected") =>
  ({ details = [] }: AppError): string | null => {
    const { fields, lines } = faultyParts(details);
    const parts = [...fields, lines.toLowerCase()].filter(Boolean);
    if (parts.length === 0) return null;
    const unplaced = participle === "corrected" ? NOT_IN_CORRECTION : ONLY_IN_FOOT;
    const isPlaced = fields.some((field) => !unplaced.includes(field));
    if (details.length === 1 && !isPlaced) return [lines, details[0]?.message].filter(Boolean).join(": ");
    if (fields.length > 0) return `Please check ${LIST.format(parts)}.`;
    return `${lines} can’t be ${participle} as ${lines.endsWith("lines") ? "they are" : "it is"}.`;
  };
