import { DurableObject } from "cloudflare:workers";
import type { ConnectionIdentity } from "~/features/chat/rooms";
import type { RequestContext } from "~/http/request-context.server";
import { adminRoom, lobby } from "~/http/shop-objects.server";

const HEADER = "X-Connection-Request";
const V6_GROUPS = 8;
/** Groups of an IPv6 address that name the subscriber's network, a /64. */
const NETWORK_GROUPS = 4;

/** Room of a live connection: a chat, the consoles, or a lobby. */
export type RoomId = `chat:${string}` | "admin" | `lobby:${string}`;

/** Request for a connection, as the Worker passes it to a room. */
export interface ConnectionRequest extends ConnectionIdentity {
  /** Key under which the room counts events, and connections unless it is an address. */
  clientKey: string;
  /** Entry in the address's count; null for connections that do not count. */
  addressEntry: { network: string; id: string } | null;
}

export const isAddressKey = (client: string) => client.startsWith("address:");

/** Number of lobbies that share the visitors without a chat. */
const LOBBIES = 8;

/** Returns the lobby of an address: always the same one, which can therefore limit the address's events. */
export function lobbyOfAddress({ address }: Pick<RequestContext, "address">): RoomId {
  const sum = [...networkOf(address)].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return `lobby:${sum % LOBBIES}`;
}

export function roomObject(env: Env, roomId: RoomId) {
  if (roomId === "admin") return adminRoom(env);
  if (roomId.startsWith("lobby:")) return lobby(env, roomId.slice("lobby:".length));
  return env.CHAT_ROOM.getByName(roomId.slice("chat:".length));
}

/**
 * Requests a live connection from a room. Rooms are reachable from the Worker only and rely on its authentication.
 *
 * @param after seq of the last message that the client has; null skips the catch-up
 * @param isCounted counts the connection for its address
 */
export async function openConnection(
  { env, address }: Pick<RequestContext, "env" | "address">,
  roomId: RoomId,
  identity: ConnectionIdentity,
  after: number | null,
  isCounted: boolean,
): Promise<Response> {
  const network = networkOf(address);
  const registry = env.ADDRESS_CONNECTIONS.getByName(network);
  const entry = isCounted ? { network, id: await registry.register(roomId) } : null;
  const request: ConnectionRequest = {
    ...identity,
    clientKey: clientKey(identity, roomId, network),
    addressEntry: entry,
  };
  const headers = new Headers({ Upgrade: "websocket" });
  headers.set(HEADER, encodeURIComponent(JSON.stringify({ ...request, after })));
  const answer = await roomObject(env, roomId).fetch(new Request("https://room.invalid/", { headers }));
  if (entry && !answer.webSocket) await registry.unregister(entry.id);
  return answer;
}

/** Reads what openConnection has sent. */
export function readConnectionRequest(request: Request): ConnectionRequest & { after: number | null } {
  const sent = decodeURIComponent(request.headers.get(HEADER) ?? "");
  return JSON.parse(sent) as ConnectionRequest & { after: number | null };
}

function clientKey({ role, userId }: ConnectionIdentity, roomId: RoomId, network: string): string {
  if (role === "staff") return `user:${userId}`;
  return roomId.startsWith("chat:") ? "chat-visitor" : `address:${network}`;
}

/** Returns the network under which an address is counted: the IPv4 address, or the /64 of an IPv6 address. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail ? tail.split(":") : [];
  if (tail !== undefined)
    groups.push(...Array<string>(Math.max(0, V6_GROUPS - groups.length - rest.length)).fill("0"), ...rest);
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/**
 * Counts the open connections of one network address in all rooms, and closes the oldest above the limit
 * (docs/decisions/0020-connection-limits.md). An entry whose close was not reported stays until newer connections
 * displace it.
 */
export class AddressConnections extends DurableObject<Env> {
  /** Registers a connection and closes the oldest above the limit. @returns its entry's id */
  register(roomId: RoomId): string {
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

  async unregister(id: string): Promise<void> {
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
