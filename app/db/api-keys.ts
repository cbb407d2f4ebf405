import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Author, recorded, removed } from "./audit";
import type { Db } from "./client.server";
import { apiKeys } from "./integrations.schema";

/**
 * Statements that record the deletion of API keys and delete them; the last one returns their names.
 *
 * @param author of the deletion, by default the request's
 */
export const deleteKeys = (db: Db, where: SQL | undefined, author?: Author) =>
  [
    recorded(
      db,
      {
        object: "apiKey",
        action: "deleted",
        id: apiKeys.id,
        changes: {
          name: removed(apiKeys.name),
          owner: removed(apiKeys.userId),
          scope: removed(apiKeys.scope),
        },
        rows: sql`FROM ${apiKeys} WHERE ${where}`,
      },
      author,
    ),
    db.delete(apiKeys).where(where).returning({ name: apiKeys.name }),
  ] as const;

/** Statements that record the deletion of a user's API keys and delete them. @param userId id, or a query for it */
export const deleteUserKeys = (db: Db, userId: string | SQLWrapper) =>
  deleteKeys(db, eq(apiKeys.userId, userId));
