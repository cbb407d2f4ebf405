import type { ClientEvent, ServerEvent } from "~/features/chat/protocol";
import { objectAt, type RoomId } from "./connection-identity";
import { LiveObject } from "./live-object";
import { type PendingStatus, Presence, type PresentRoom } from "./presence.queries";

/** How many places are told of a change at once. */
const WAVE = 100;
/** Milliseconds after which the alarm looks whether everybody was told. */
const BACKSTOP = 2000;

/** The consoles, and what everybody must hear: it knows where there is someone (docs/decisions/0009-live-chat.md). */
export class AdminRoom extends LiveObject {
  readonly #places: Presence;
  #isTelling = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#places = new Presence(ctx.storage.sql);
  }

  /** Tells the consoles, in this order. */
  tell(events: ServerEvent[]): void {
    for (const event of events) this.sockets.broadcast(event);
    this.recheckNowAndThen();
  }

  /** Somewhere somebody has arrived. */
  present(place: RoomId, userId: string | null, version: number): void {
    this.#places.add(place, userId, version);
  }

  /** Somewhere nobody is left. */
  absent(place: RoomId, version: number): void {
    this.#places.remove(place, version);
  }

  /**
   * isOnline was saved: every connected client is told, within a second where the platform can.
   *
   * @param version of the settings; a change that comes late is no news
   */
  async statusChanged(isOnline: boolean, version: number): Promise<void> {
    if (!this.#places.setStatus(isOnline, version)) return;
    void this.ctx.storage.setAlarm(Date.now() + BACKSTOP);
    this.ctx.waitUntil(this.#tellEverybody());
  }

  /** A user's session or role has ended: their connections are looked after wherever they are. */
  async sessionEnded(userId: string): Promise<void> {
    const places = this.#places.of(userId).map((place) => objectAt(this.env, place).recheck());
    await Promise.allSettled([this.recheck(), ...places]);
  }

  override async alarm(): Promise<void> {
    await this.#tellEverybody();
  }

  protected place(): RoomId {
    return "admin";
  }

  protected welcome(): ServerEvent[] {
    return [];
  }

  protected act(socket: WebSocket, { event }: ClientEvent): void {
    if (event === "join-admin" || event === "leave-admin")
      this.sockets.write(socket, { ...this.sockets.ticket(socket), joined: event === "join-admin" });
    else this.sockets.refuse(socket, event, "Connect with ?chat={id} for this.");
  }

  protected override async arrive(): Promise<void> {}

  protected override leave(): void {}

  /** One change after the other, so that the latest is also heard last. */
  async #tellEverybody(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let news = this.#places.news(); news; news = this.#places.news()) {
      this.status(news.isOnline);
      const places = this.#places.all();
      for (let from = 0; from < places.length; from += WAVE)
        await this.#wave(news, places.slice(from, from + WAVE));
      this.#places.setTold(news.version);
    }
    this.#isTelling = false;
  }

  async #wave({ isOnline }: PendingStatus, places: PresentRoom[]): Promise<void> {
    const told = places.map(async ({ place, version }) => {
      const listeners = await objectAt(this.env, place).status(isOnline);
      if (listeners === 0) this.#places.remove(place, version);
    });
    for (const outcome of await Promise.allSettled(told))
      if (outcome.status === "rejected") console.warn("chat-status-change not delivered:", outcome.reason);
  }
}
