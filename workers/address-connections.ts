import { DurableObject } from "cloudflare:workers";
import { objectAt, type RoomId } from "./connection-identity";

/**
 * Counts the open connections of one network address, wherever they end, and has the oldest closed when there are too
 * many (docs/decisions/0020-connection-limits.md). The latest ones are remembered: one whose end was never told is
 * the first to go.
 */
export class AddressConnections extends DurableObject<Env> {
  /** @returns the id by which the connection is closed, and its end told */
  open(place: RoomId): string {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS connections (id TEXT NOT NULL, place TEXT NOT NULL)");
    const id = crypto.randomUUID();
    sql.exec("INSERT INTO connections (id, place) VALUES (?, ?)", id, place);
    const limit = Number(this.env.LIVE_CONNECTIONS_OF_AN_ADDRESS) || 20;
    const oldest = sql
      .exec<{ id: string; place: RoomId }>(
        `DELETE FROM connections WHERE rowid IN
           (SELECT rowid FROM connections ORDER BY rowid DESC LIMIT -1 OFFSET ?) RETURNING id, place`,
        limit,
      )
      .toArray();
    for (const each of oldest) this.ctx.waitUntil(this.#close(each));
    return id;
  }

  /** A connection has ended. */
  async closed(id: string): Promise<void> {
    const { sql } = this.ctx.storage;
    if (!hasTable(sql)) return;
    sql.exec("DELETE FROM connections WHERE id = ?", id);
    if (sql.exec("SELECT 1 FROM connections LIMIT 1").toArray().length === 0)
      await this.ctx.storage.deleteAll();
  }

  async #close({ id, place }: { id: string; place: RoomId }): Promise<void> {
    await objectAt(this.env, place)
      .closeConnection(id)
      .catch((error: unknown) => console.warn(`A connection at ${place} could not be closed:`, error));
  }
}

function hasTable(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'connections'").toArray().length > 0;
}
