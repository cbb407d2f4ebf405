import { z } from "zod";
import type { Db } from "~/db/client.server";
import { MessageAnswer } from "~/http/answers";
import { rejectStaleEdit } from "~/http/edit-conflict.server";
import { AppError } from "~/http/errors";
import { Listing, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { AutoResponse } from "../answers";
import { RESPONSE } from "../records";
import {
  ResponseChanges,
  ResponseForm,
  ResponseInput,
  ResponseRemoval,
  ResponseRemovalForm,
  type SeenResponse,
} from "../responses";
import {
  findResponse,
  findResponses,
  insertResponse,
  type ResponseRow,
  removeResponse,
  updateResponseRow,
} from "../responses.queries.server";
import { ListInput } from "../schema";
import { announceReplies } from "./settings.server";

const responseView = (row: ResponseRow) => ({ id: row.id, ...RESPONSE.apiValues(row) });

const responseNotFound = () => new AppError("notFound", "Response not found");

/** Lists the predefined responses in the order they were added. */
export const listResponses = operation({
  route: "GET chat/responses",
  summary: "List the predefined responses",
  answer: z.array(AutoResponse),
  isList: true,
  access: "staff",
  input: ListInput,
  async run({ db, input }) {
    const rows = (await findResponses(db)).map(responseView);
    const { offset, limit = rows.length } = input;
    return new Listing(rows.slice(offset, offset + limit), rows.length);
  },
});

export const createResponse = operation({
  route: "POST chat/responses",
  summary: "Add a response",
  answer: AutoResponse,
  access: "manager",
  input: ResponseInput,
  status: 201,
  async run({ db, env, input, now }) {
    const row = { ...input, id: crypto.randomUUID(), createdAt: now, updatedAt: now };
    await insertResponse(db, row);
    await announceReplies(env);
    return responseView(row);
  },
});

/**
 * Changes the given fields of a response.
 *
 * @throws AppError notFound; conflict when `was` is outdated
 */
export const updateResponse = operation({
  route: "PATCH chat/responses/:id",
  summary: "Change a response; missing fields stay",
  answer: AutoResponse,
  errors: [409],
  access: "manager",
  input: ResponseChanges,
  run: (context) => change(context, context.input),
});

/** Changes a response by the console's form, which sends `was`. */
export const updateResponseByForm = operation({
  access: "manager",
  input: ResponseForm,
  run: (context) => change(context, context.input),
});

type Changes = z.output<typeof ResponseChanges>;

async function change(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  input: Changes,
): Promise<ReturnType<typeof responseView>> {
  const { id, was, ...fields } = input;
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const stored = was ? await requireResponse(db, id) : null;
  if (was && stored) rejectStaleEdit<SeenResponse>("this response", was, responseView(stored), changes);
  const row = await updateResponseRow(db, id, { ...changes, updatedAt: now }, stored);
  if (row) {
    await announceReplies(env);
    return responseView(row);
  }
  if (!stored) throw responseNotFound();
  // The response changed between the read and the write.
  return change({ db, env, now }, input);
}

async function requireResponse(db: Db, id: string): Promise<ResponseRow> {
  const stored = await findResponse(db, id);
  if (!stored) throw responseNotFound();
  return stored;
}

/**
 * Deletes a response.
 *
 * @throws AppError notFound; conflict when `was` is outdated
 */
export const deleteResponse = operation({
  route: "DELETE chat/responses/:id",
  summary: "Delete a response",
  answer: MessageAnswer,
  errors: [409],
  access: "manager",
  input: ResponseRemoval,
  run: (context) => remove(context, context.input),
});

/** Deletes a response by the console's form, which sends `was`. */
export const deleteResponseByForm = operation({
  access: "manager",
  input: ResponseRemovalForm,
  run: (context) => remove(context, context.input),
});

async function remove(
  { db, env }: Pick<RequestContext, "db" | "env">,
  { id, was }: z.output<typeof ResponseRemoval>,
): Promise<{ message: string }> {
  const stored = was ? await requireResponse(db, id) : null;
  if (was && stored && differs(was, stored))
    throw new AppError(
      "conflict",
      "Somebody else has just changed this response. Look at it and delete it again.",
    );
  if (await removeResponse(db, id, stored)) {
    await announceReplies(env);
    return { message: "Response deleted successfully" };
  }
  if (!stored) throw responseNotFound();
  return remove({ db, env }, { id, was });
}

function differs(was: SeenResponse, stored: ResponseRow): boolean {
  return Object.entries(was).some(([name, value]) => stored[name as keyof SeenResponse] !== value);
}
