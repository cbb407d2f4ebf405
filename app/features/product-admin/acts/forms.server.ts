import { z } from "zod";
import { CATEGORIES } from "~/domain/categories";
import { AppError, validationError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { ACT_NAMES, ActInput, type ActName, MAX_ACT_PRODUCTS } from "../acts";
import { findTargets } from "../acts.queries.server";
import { type ActResult, matchingIds, planAct, runAct } from "../operations/acts.server";

/** Category of a list's filter; undefined for none. */
const filterCategory = (name: string) => CATEGORIES.find((category) => category === name);

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string");

/** Fields of the forms of acts: the ticked products, or those of a preview with their prices. */
const ActForm = z.object({
  act: z.enum([...ACT_NAMES, "labels"], { error: "This page can't do that." }),
  pick: z.unknown().optional().transform(texts),
  all: z.string().optional(),
  q: z.string().max(200).default(""),
  category: z.string().default(""),
  was: z.string().optional(),
  by: z.string().default(""),
  unit: z.string().optional(),
  round: z.string().optional(),
  to: z.string().optional(),
  request: z.string().optional(),
  step: z.enum(["preview", "apply"]).optional(),
});

/** Page of an act before it is done. */
export interface ActPage {
  act: ActName;
  /** Id of the request, which is done once. */
  request: string;
  /** Prices of all products by id, cents. */
  was: Record<string, number>;
  settings: { by: string; unit: string; round: string; to: string };
  /** Null while settings are missing. */
  preview: ActResult | null;
  problems: Record<string, string>;
}

/** Answer to a form of acts: its page, what was done, or the products whose labels are printed. */
export type ActOutcome = { page: ActPage } | { result: ActResult } | { labels: string[] };

/** Runs the forms of acts: ticked products and act, then its settings, then the act itself. */
export const actByForm = operation({
  access: "staff",
  input: ActForm,
  maxBytes: 512 * 1024,
  maxFields: 2100,
  async run({ input, ...context }): Promise<ActOutcome> {
    const was = await seenProducts(context, input);
    const ids = Object.keys(was);
    if (ids.length === 0) throw new AppError("invalid", "Choose products first.");
    if (input.act === "labels") return { labels: ids };
    const settings = settingsOf(input);
    const sent = { act: input.act, ...filled(settings), ids, was, id: input.request };
    const read = ActInput.safeParse(sent);
    const page = { act: input.act, request: input.request ?? crypto.randomUUID(), was, settings };
    if (!read.success) {
      // A form that was just opened has nothing to mend.
      const problems = input.step ? problemsOf(read.error) : {};
      return { page: { ...page, preview: null, problems } };
    }
    const act = { ...read.data, ids };
    if (input.step === "apply") return { result: await runAct(context, act) };
    return { page: { ...page, preview: (await planAct(context, act)).preview, problems: {} } };
  },
});

type ActFields = z.output<typeof ActForm>;

const settingsOf = ({ by, unit = "percent", round = ".99", to = "" }: ActFields) => ({ by, unit, round, to });
/** Leaves out what is empty. */
const filled = (settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value.trim() !== ""));

const problemsOf = (error: z.ZodError): Record<string, string> =>
  Object.fromEntries(error.issues.map(({ path, message }) => [String(path[0] ?? "act"), message]));

/** Reads the products of a form with the prices that its preview showed, or that they have now. */
async function seenProducts(context: StaffContext, { was, pick, all, q, category }: ActFields) {
  if (was !== undefined) return parseSeen(was);
  const of = filterCategory(category);
  const ids = all ? await matchingIds(context, { q, ...(of && { category: of }) }) : pick;
  const targets = await findTargets(context.db, ids.slice(0, MAX_ACT_PRODUCTS));
  return Object.fromEntries(targets.map(({ id, priceCents }) => [id, priceCents]));
}

function parseSeen(text: string): Record<string, number> {
  try {
    const seen = ActInput.shape.was.safeParse(JSON.parse(text));
    if (seen.success && seen.data) return seen.data;
  } catch {
    // Falls through to the error.
  }
  throw validationError([{ path: "was", message: "Choose the products anew." }]);
}
