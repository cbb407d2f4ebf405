import { DurableObject } from "cloudflare:workers";
import { type RoomId, roomObject } from "./connection-identity";

/**
 * Counts the open connections of one network address in all rooms, and closes the oldest above the limit
 * (docs/decisions/0020-connection-limits.md). An entry whose close was never reported is the first to be dropped.
 */
export class AddressConnections extends DurableObject<Env> {
  /** Opens a connection. @returns the id under which the connection is closed and reported as closed */
  open(roomId: RoomId): string {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS connections (id TEXT NOT NULL, place TEXT NOT NULL)");
    const id = crypto.randomUUID();
    sql.exec("INSERT INTO connections (id, place) VALUES (?, ?)", id, roomId);
    const limit = Number(this.env.LIVE_CONNECTIONS_OF_AN_ADDRESS) || 1024;
    const oldest = sql
      .exec<{ id: string; place: RoomId }>(
        `DELETE FROM connections WHERE rowid IN
           (SELECT rowid FROM connections ORDER BY rowid DESC LIMIT -1 OFFSET ?) RETURNING id, place`,
        limit,
      )
      .toArray();
    for (const { id, place } of oldest) this.ctx.waitUntil(this.#close(id, place));
    return id;
  }

  async closed(id: string): Promise<void> {
    const { sql } = this.ctx.storage;
    if (!hasTable(sql)) return;
    sql.exec("DELETE FROM connections WHERE id = ?", id);
    if (sql.exec("SELECT 1 FROM connections LIMIT 1").toArray().length === 0)
      await this.ctx.storage.deleteAll();
  }

  async #close(id: string, roomId: RoomId): Promise<void> {
    await roomObject(this.env, roomId)
      .closeConnection(id)
      .catch((error: unknown) => console.warn(`A connection to ${roomId} could not be closed:`, error));
  }
}

function hasTable(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'connections'").toArray().length > 0;
}
