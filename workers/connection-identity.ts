import type { Seat } from "~/features/chat/rooms";
import type { RequestContext } from "~/http/request-context.server";
import { networkOf } from "./network";

const HEADER = "X-Live-Seat";

/** Where a live connection ends: a chat's room, the consoles' room, or a lobby. */
export type RoomId = `chat:${string}` | "admin" | `lobby:${string}`;

/** What a place is told of a connection that it is asked for. */
export interface Arrival extends Seat {
  /** Who is counted together there: a chat's visitor, a user, or an address. */
  person: string;
  /** Where it is counted with all of its address's; null where it isn't. */
  counted: { network: string; id: string } | null;
}

/** A person known by nothing but their address. */
export const isAddress = (person: string) => person.startsWith("address:");

/** Lobbies share the visitors without a chat, so that no object holds them all. */
const LOBBIES = 8;

/** The lobby for the visitors of an address: always the same one, so that it can count them together. */
export function lobbyFor({ address }: Pick<RequestContext, "address">): RoomId {
  const sum = [...networkOf(address)].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return `lobby:${sum % LOBBIES}`;
}

/** The object that a place is. */
export function objectAt(env: Env, place: RoomId) {
  if (place === "admin") return env.ADMIN_ROOM.getByName("admin");
  if (place.startsWith("lobby:")) return env.LOBBY.getByName(place.slice("lobby:".length));
  return env.CHAT_ROOM.getByName(place.slice("chat:".length));
}

/**
 * Asks a place for a live connection. The Worker has checked who may: objects believe it, nobody else reaches them.
 *
 * @param after seq of the last message the client has, if it wants what it missed
 * @param isCounted whether it counts with its address's
 */
export async function openConnection(
  { env, address }: Pick<RequestContext, "env" | "address">,
  place: RoomId,
  seat: Seat,
  after: number | null,
  isCounted: boolean,
): Promise<Response> {
  const network = networkOf(address);
  const registry = env.ADDRESS_CONNECTIONS.getByName(network);
  const counted = isCounted ? { network, id: await registry.open(place) } : null;
  const arrival: Arrival = { ...seat, person: personOf(seat, place, network), counted };
  const headers = new Headers({ Upgrade: "websocket" });
  headers.set(HEADER, encodeURIComponent(JSON.stringify({ ...arrival, after })));
  const answer = await objectAt(env, place).fetch(new Request("https://room.invalid/", { headers }));
  if (counted && !answer.webSocket) await registry.closed(counted.id);
  return answer;
}

/** What takeSeat has sent. */
export function connectionIdentity(request: Request): Arrival & { after: number | null } {
  const sent = decodeURIComponent(request.headers.get(HEADER) ?? "");
  return JSON.parse(sent) as Arrival & { after: number | null };
}

/** A chat has one visitor, on however many devices. */
function personOf({ role, userId }: Seat, place: RoomId, network: string): string {
  if (role === "staff") return `user:${userId}`;
  return place.startsWith("chat:") ? "chat-visitor" : `address:${network}`;
}
