import type { RoomId } from "./connection-identity";

/** Room with open connections; `version` grows with every report. */
export interface OccupiedRoom {
  roomId: RoomId;
  version: number;
}

/** Change of isOnline whose broadcast is incomplete. */
export interface PendingStatus {
  isOnline: boolean;
  version: number;
}

/** Occupied rooms and lobbies with their signed-in users, and the last status. */
export class Presence {
  constructor(private readonly sql: SqlStorage) {
    sql.exec(`
      CREATE TABLE IF NOT EXISTS places (place TEXT NOT NULL, user_id TEXT NOT NULL, version INTEGER NOT NULL,
        PRIMARY KEY (place, user_id)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS places_user ON places (user_id);
      CREATE TABLE IF NOT EXISTS status (one INTEGER PRIMARY KEY, is_online INTEGER NOT NULL,
        version INTEGER NOT NULL, told INTEGER NOT NULL);
    `);
  }

  add(roomId: RoomId, userId: string | null, version: number): void {
    this.sql.exec(
      `INSERT INTO places (place, user_id, version) VALUES (?, ?, ?)
       ON CONFLICT (place, user_id) DO UPDATE SET version = max(version, excluded.version)`,
      roomId,
      userId ?? "",
      version,
    );
  }

  /** Removes an empty room unless it was reported as occupied since. */
  remove(roomId: RoomId, version: number): void {
    this.sql.exec(
      "DELETE FROM places WHERE place = ?1 AND ?2 >= (SELECT max(version) FROM places WHERE place = ?1)",
      roomId,
      version,
    );
  }

  all(): OccupiedRoom[] {
    return this.sql
      .exec("SELECT place AS roomId, max(version) AS version FROM places GROUP BY place")
      .toArray() as unknown as OccupiedRoom[];
  }

  roomsOfUser(userId: string): RoomId[] {
    return this.sql
      .exec("SELECT place FROM places WHERE user_id = ?", userId)
      .toArray()
      .map(({ place }) => place as RoomId);
  }

  /** @returns false for an outdated version */
  setStatus(isOnline: boolean, version: number): boolean {
    return (
      this.sql.exec(
        `INSERT INTO status (one, is_online, version, told) VALUES (1, ?, ?, 0)
         ON CONFLICT (one) DO UPDATE SET is_online = excluded.is_online, version = excluded.version, told = 0
         WHERE excluded.version > version`,
        Number(isOnline),
        version,
      ).rowsWritten > 0
    );
  }

  pendingStatus(): PendingStatus | null {
    const row = this.sql
      .exec<{ is_online: number; version: number }>("SELECT is_online, version FROM status WHERE told = 0")
      .toArray()[0];
    return row ? { isOnline: row.is_online === 1, version: row.version } : null;
  }

  markDelivered(version: number): void {
    this.sql.exec("UPDATE status SET told = 1 WHERE version = ?", version);
  }
}
