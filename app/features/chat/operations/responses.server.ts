import type { z } from "zod";
import type { Db } from "~/db/client.server";
import { rejectStaleEdit } from "~/http/edit-conflict.server";
import { AppError } from "~/http/errors";
import { Listing, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import {
  findResponse,
  findResponses,
  insertResponse,
  type ResponseRow,
  removeResponse,
  updateResponseRow,
} from "../queries.server";
import {
  ListInput,
  ResponseChanges,
  ResponseForm,
  ResponseInput,
  ResponseRemoval,
  ResponseRemovalForm,
  type SeenResponse,
} from "../schema";
import { responseView } from "../views.server";

const noSuchResponse = () => new AppError("notFound", "Response not found");

/** Every predefined response, in the order they were added. */
export const listResponses = operation({
  access: "staff",
  input: ListInput,
  async run({ db, input }) {
    const rows = (await findResponses(db)).map(responseView);
    const { offset, limit = rows.length } = input;
    return new Listing(rows.slice(offset, offset + limit), rows.length);
  },
});

/** Adds one. */
export const createResponse = operation({
  access: "staff",
  input: ResponseInput,
  status: 201,
  async run({ db, input, now }) {
    const row = {
      ...input,
      isActive: input.isActive ?? true,
      id: crypto.randomUUID(),
      createdAt: now,
      updatedAt: now,
    };
    await insertResponse(db, row);
    return responseView(row);
  },
});

/**
 * Changes one; a missing key stays as it was.
 *
 * @throws AppError notFound; conflict when `was` is given and somebody else has changed what this one changes
 */
export const updateResponse = operation({
  access: "staff",
  input: ResponseChanges,
  run: (context) => change(context, context.input),
});

/** The same from the console's form, with what it showed when it was opened. */
export const updateResponseByForm = operation({
  access: "staff",
  input: ResponseForm,
  run: (context) => change(context, context.input),
});

type Changes = z.output<typeof ResponseChanges>;

async function change(
  { db, now }: Pick<RequestContext, "db" | "now">,
  input: Changes,
): Promise<ReturnType<typeof responseView>> {
  const { id, was, ...given } = input;
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const stored = was ? await existing(db, id) : null;
  if (was && stored) rejectStaleEdit<SeenResponse>("this response", was, responseView(stored), changes);
  const row = await updateResponseRow(db, id, { ...changes, updatedAt: now }, stored);
  if (row) return responseView(row);
  if (!stored) throw noSuchResponse();
  // Changed once more between reading and writing.
  return change({ db, now }, input);
}

async function existing(db: Db, id: string): Promise<ResponseRow> {
  const stored = await findResponse(db, id);
  if (!stored) throw noSuchResponse();
  return stored;
}

/**
 * Deletes one.
 *
 * @throws AppError notFound; conflict when `was` is given and somebody else has changed it
 */
export const deleteResponse = operation({
  access: "staff",
  input: ResponseRemoval,
  run: ({ db, input }) => remove(db, input),
});

/** The same from the console's form, with what the list showed. */
export const deleteResponseByForm = operation({
  access: "staff",
  input: ResponseRemovalForm,
  run: ({ db, input }) => remove(db, input),
});

async function remove(db: Db, { id, was }: z.output<typeof ResponseRemoval>): Promise<{ message: string }> {
  const stored = was ? await existing(db, id) : null;
  if (was && stored && isOther(was, stored))
    throw new AppError(
      "conflict",
      "Somebody else has just changed this response. Look at it and delete it again.",
    );
  if (await removeResponse(db, id, stored)) return { message: "Response deleted successfully" };
  if (!stored) throw noSuchResponse();
  return remove(db, { id, was });
}

function isOther(was: SeenResponse, stored: ResponseRow): boolean {
  return Object.entries(was).some(([name, value]) => stored[name as keyof SeenResponse] !== value);
}
