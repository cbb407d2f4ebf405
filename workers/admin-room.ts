import type { RoomUpdate } from "~/features/chat/operations/rooms.server";
import type { ClientEvent, ServerEvent } from "~/features/chat/protocol";
import { deliverQueue, deliverWebhooks } from "~/features/integrations/delivery.server";
import type { WebhookRow } from "~/features/integrations/queries.server";
import { notifyRestocked } from "~/features/restock/delivery.server";
import { deliverDue } from "~/features/sales/delivery.server";
import { adminRoom } from "~/http/shop-objects.server";
import { type RoomId, roomObject } from "./connections";
import { keptReplies } from "./kept-replies";
import { LiveObject } from "./live-object";
import { type CollectedRow, RowCollector } from "./row-collector";

/** Rooms that receive a status change at the same time. */
const BATCH_SIZE = 100;
/** Milliseconds after which the alarm retries an incomplete broadcast. */
const RETRY_MS = 2000;
/** Milliseconds after which a delivery that was cut off is repeated. */
const OUTBOX_RETRY_MS = 60_000;

/**
 * Connects the consoles, sends status changes to all occupied rooms (docs/decisions/0009-live-chat.md), and delivers the
 * outboxes of sales (docs/decisions/0025-sales.md) and of webhooks (docs/decisions/0033-webhooks.md). It notifies who waits for stock
 * (docs/decisions/0093-back-in-stock.md).
 */
export class AdminRoom extends LiveObject {
  readonly #presence: Presence;
  #isBroadcasting = false;
  /** Rows of chats; used by the objects of this class that collect them. */
  readonly #rows = new RowCollector(this.env);
  /** Running delivery of mails and cards, which do not wait for the receivers of webhooks. */
  #deliveringSales = Promise.resolve();
  /** People who wait for stock are notified by one run after the other. */
  #notifyingRestocked = Promise.resolve();
  /** Webhooks that are being served. */
  readonly #serving = new Set<string>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#presence = new Presence(ctx.storage.sql);
  }

  /** Sends events to the consoles in order. */
  broadcast(events: ServerEvent[]): void {
    for (const event of events) this.sockets.broadcast(event);
    this.scheduleSessionCheck();
  }

  /** Detects a page of the back office in the foreground, on any device. */
  isVisible(): boolean {
    return this.sockets.isVisible("staff");
  }

  roomOccupied(roomId: RoomId, userId: string | null, version: number): void {
    this.#presence.add(roomId, userId, version);
  }

  roomEmptied(roomId: RoomId, version: number): void {
    this.#presence.remove(roomId, version);
  }

  /**
   * Sends a saved isOnline to every connected client.
   *
   * @param version of the settings; an older one than the last is ignored
   */
  async statusChanged(isOnline: boolean, version: number): Promise<void> {
    keptReplies.forget();
    if (!this.#presence.setStatus(isOnline, version)) return;
    void this.ctx.storage.setAlarm(Date.now() + RETRY_MS);
    this.ctx.waitUntil(this.#broadcastPending());
  }

  /** Tells the occupied rooms of saved automatic replies; others see them within seconds. */
  override repliesChanged(): void {
    super.repliesChanged();
    const rooms = this.#presence.all().filter(({ roomId }) => roomId.startsWith("chat:"));
    this.ctx.waitUntil(inBatches(rooms, async ({ roomId }) => roomObject(this.env, roomId).repliesChanged()));
  }

  /** Delivers the mails and cards of sales, one run after the other; the alarm repeats what failed. */
  async deliverSales(): Promise<void> {
    // Before the work, in case the process ends within it.
    await this.#wakeBy(Date.now() + OUTBOX_RETRY_MS);
    await this.#deliverSales();
  }

  /** Starts to notify who waits for stock; nobody waits for the mails. */
  async notifyRestocked(): Promise<void> {
    await this.#wakeBy(Date.now() + OUTBOX_RETRY_MS);
    this.ctx.waitUntil(this.#notifyRestocked());
  }

  /** Starts the delivery of the events for webhooks; nobody waits for their receivers. */
  async deliverWebhooks(): Promise<void> {
    await this.#wakeBy(Date.now() + OUTBOX_RETRY_MS);
    this.ctx.waitUntil(this.#deliverWebhooks());
  }

  /** Sends what is due to one webhook. Each has an object for this, since an object waits for six connections at most. */
  async deliverQueue(hook: WebhookRow): Promise<void> {
    await deliverQueue(this.env, hook);
  }

  /** Writes a chat's row to D1, with those of other chats. @returns once it is committed or refused */
  saveRow(update: RoomUpdate): Promise<CollectedRow> {
    return this.#rows.save(update);
  }

  /**
   * Delivers nothing of a restored shop for a while: the shop that the backup is of may still do it.
   *
   * @param until epoch milliseconds
   */
  async pauseDeliveries(until: number): Promise<void> {
    await this.ctx.storage.put("restUntil", until);
  }

  #deliverSales(): Promise<void> {
    const run = () => this.#deliverUnlessPaused(() => deliverDue(this.env));
    this.#deliveringSales = this.#deliveringSales.then(run, run);
    return this.#deliveringSales;
  }

  #notifyRestocked(): Promise<void> {
    const run = () => this.#deliverUnlessPaused(() => notifyRestocked(this.env));
    this.#notifyingRestocked = this.#notifyingRestocked.then(run, run);
    return this.#notifyingRestocked;
  }

  /** Runs beside an earlier run, which may wait for a slow receiver. */
  #deliverWebhooks(): Promise<void> {
    const deliver = (hook: WebhookRow) => adminRoom(this.env, `webhook ${hook.id}`).deliverQueue(hook);
    return this.#deliverUnlessPaused(() => deliverWebhooks(this.env, this.#serving, deliver));
  }

  /** Delivers, unless deliveries are paused. @param deliver returns when the next delivery is due, epoch milliseconds; null for none */
  async #deliverUnlessPaused(deliver: () => Promise<number | null>): Promise<void> {
    const pausedUntil = (await this.ctx.storage.get<number>("restUntil")) ?? 0;
    if (pausedUntil > Date.now()) return this.#wakeBy(pausedUntil);
    const next = await deliver();
    if (next !== null) await this.#wakeBy(Math.max(next, Date.now() + RETRY_MS));
  }

  async #wakeBy(at: number): Promise<void> {
    const planned = await this.ctx.storage.getAlarm();
    if (planned === null || planned > at) await this.ctx.storage.setAlarm(at);
  }

  /** Closes the connections that users have lost the right to, in all rooms. */
  async sessionEnded(...userIds: string[]): Promise<void> {
    const rooms = new Set(userIds.flatMap((userId) => this.#presence.roomsOfUser(userId)));
    const checks = [...rooms].map((roomId) => roomObject(this.env, roomId).closeEndedSessions());
    await Promise.allSettled([this.closeEndedSessions(), ...checks]);
  }

  override async alarm(): Promise<void> {
    const deliveries = [this.#deliverSales(), this.#deliverWebhooks(), this.#notifyRestocked()];
    await Promise.all([this.#broadcastPending(), ...deliveries]);
  }

  protected roomId(): RoomId {
    return "admin";
  }

  protected initialEvents(): ServerEvent[] {
    return [];
  }

  protected handleEvent(socket: WebSocket, { event }: ClientEvent): void {
    if (event === "join-admin" || event === "leave-admin")
      this.sockets.setState(socket, { ...this.sockets.state(socket), joined: event === "join-admin" });
    else this.sockets.sendError(socket, event, "Connect with ?chat={id} for this.");
  }

  protected override async reportOccupied(): Promise<void> {}

  protected override reportEmpty(): void {}

  /** Broadcasts one change after the other, so that the latest arrives last. */
  async #broadcastPending(): Promise<void> {
    if (this.#isBroadcasting) return;
    this.#isBroadcasting = true;
    for (let status = this.#presence.pendingStatus(); status; status = this.#presence.pendingStatus()) {
      this.broadcastStatus(status.isOnline);
      await inBatches(this.#presence.all(), (room) => this.#sendStatus(status, room));
      this.#presence.markDelivered(status.version);
    }
    this.#isBroadcasting = false;
  }

  async #sendStatus({ isOnline }: PendingStatus, { roomId, version }: OccupiedRoom): Promise<void> {
    const listeners = await roomObject(this.env, roomId).broadcastStatus(isOnline);
    if (listeners === 0) this.#presence.remove(roomId, version);
  }
}

/** Calls rooms in batches; a failure is logged and does not keep a call from the others. */
async function inBatches(rooms: OccupiedRoom[], call: (room: OccupiedRoom) => Promise<void>): Promise<void> {
  for (let start = 0; start < rooms.length; start += BATCH_SIZE)
    for (const outcome of await Promise.allSettled(rooms.slice(start, start + BATCH_SIZE).map(call)))
      if (outcome.status === "rejected") console.warn("A change was not delivered:", outcome.reason);
}

/** Room with open connections; `version` grows with every report. */
interface OccupiedRoom {
  roomId: RoomId;
  version: number;
}

/** Change of isOnline whose broadcast is incomplete. */
interface PendingStatus {
  isOnline: boolean;
  version: number;
}

/** Occupied rooms and lobbies with their signed-in users, and the last status. */
class Presence {
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

  /** Stores the status. @returns false for an outdated version */
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
