import type { Seat } from "~/features/chat/rooms";

const HEADER = "X-Live-Seat";

/** Where a live connection ends: a chat's room, the consoles' room, or a lobby. */
export type Place = `chat:${string}` | "admin" | `lobby:${string}`;

/** Lobbies share the visitors without a chat, so that no object holds them all. */
const LOBBIES = 8;

/** A lobby for one more visitor. */
export function anyLobby(): Place {
  return `lobby:${Math.floor(Math.random() * LOBBIES)}`;
}

/** The object that a place is. */
export function objectAt(env: Env, place: Place) {
  if (place === "admin") return env.ADMIN_ROOM.getByName("admin");
  if (place.startsWith("lobby:")) return env.LOBBY.getByName(place.slice("lobby:".length));
  return env.CHAT_ROOM.getByName(place.slice("chat:".length));
}

/**
 * Asks a place for a live connection. The Worker has checked who may: objects believe it, nobody else reaches them.
 *
 * @param after seq of the last message the client has, if it wants what it missed
 */
export function takeSeat(env: Env, place: Place, seat: Seat, after: number | null): Promise<Response> {
  const headers = new Headers({ Upgrade: "websocket" });
  headers.set(HEADER, encodeURIComponent(JSON.stringify({ ...seat, after })));
  return objectAt(env, place).fetch(new Request("https://room.invalid/", { headers }));
}

/** What takeSeat has sent. */
export function seatOf(request: Request): Seat & { after: number | null } {
  return JSON.parse(decodeURIComponent(request.headers.get(HEADER) ?? "")) as Seat & { after: number | null };
}
