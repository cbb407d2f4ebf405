import type { ConnectionIdentity } from "~/features/chat/rooms";
import type { RequestContext } from "~/http/request-context.server";

const HEADER = "X-Connection-Request";
const V6_GROUPS = 8;
/** Groups of an IPv6 address that name the subscriber's network, a /64. */
const NETWORK_GROUPS = 4;

/** Room of a live connection: a chat, the consoles, or a lobby. */
export type RoomId = `chat:${string}` | "admin" | `lobby:${string}`;

/** Request for a connection, as the Worker passes it to a room. */
export interface ConnectionRequest extends ConnectionIdentity {
  /** Key under which the room counts connections and events: the chat's visitor, a user, or an address. */
  clientKey: string;
  /** Entry in the address's count; null for connections that do not count. */
  addressEntry: { network: string; id: string } | null;
}

export const isAddressKey = (client: string) => client.startsWith("address:");

/** Number of lobbies that share the visitors without a chat. */
const LOBBIES = 8;

/** Returns the lobby of an address, always the same one, so that it can count its connections. */
export function lobbyOfAddress({ address }: Pick<RequestContext, "address">): RoomId {
  const sum = [...networkOf(address)].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return `lobby:${sum % LOBBIES}`;
}

export function roomObject(env: Env, roomId: RoomId) {
  if (roomId === "admin") return env.ADMIN_ROOM.getByName("admin");
  if (roomId.startsWith("lobby:")) return env.LOBBY.getByName(roomId.slice("lobby:".length));
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
  const entry = isCounted ? { network, id: await registry.open(roomId) } : null;
  const request: ConnectionRequest = {
    ...identity,
    clientKey: clientKey(identity, roomId, network),
    addressEntry: entry,
  };
  const headers = new Headers({ Upgrade: "websocket" });
  headers.set(HEADER, encodeURIComponent(JSON.stringify({ ...request, after })));
  const answer = await roomObject(env, roomId).fetch(new Request("https://room.invalid/", { headers }));
  if (entry && !answer.webSocket) await registry.closed(entry.id);
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
