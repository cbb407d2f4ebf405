import { Listing } from "~/http/api-route.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { findResponses, insertResponse, removeResponse, updateResponseRow } from "../queries.server";
import { ChatInput, ListInput, ResponseChanges, ResponseInput } from "../schema";
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
 * @throws AppError notFound
 */
export const updateResponse = operation({
  access: "staff",
  input: ResponseChanges,
  async run({ db, input: { id, ...given }, now }) {
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const row = await updateResponseRow(db, id, { ...changes, updatedAt: now });
    if (!row) throw noSuchResponse();
    return responseView(row);
  },
});

/**
 * Deletes one.
 *
 * @throws AppError notFound
 */
export const deleteResponse = operation({
  access: "staff",
  input: ChatInput,
  async run({ db, input }) {
    if (!(await removeResponse(db, input.id))) throw noSuchResponse();
    return { message: "Response deleted successfully" };
  },
});
