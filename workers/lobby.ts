import type { ClientEvent, ServerEvent } from "~/features/chat/protocol";
import type { RoomId } from "./connection-identity";
import { LiveObject } from "./live-object";

/** Holds visitors without a chat: they hear whether the shop is online. */
export class Lobby extends LiveObject {
  protected place(): RoomId {
    return `lobby:${this.ctx.id.name}`;
  }

  protected welcome(): ServerEvent[] {
    return [];
  }

  protected act(socket: WebSocket, { event }: ClientEvent): void {
    const how = event.endsWith("-admin") ? "?room=admin" : "?chat={id}";
    this.sockets.refuse(socket, event, `Connect with ${how} for this.`);
  }
}
