import type { ClientEvent, ServerEvent } from "~/features/chat/protocol";
import type { RoomId } from "./connection-identity";
import { LiveObject } from "./live-object";

/** Connects visitors without a chat, who receive the status. */
export class Lobby extends LiveObject {
  protected roomId(): RoomId {
    return `lobby:${this.ctx.id.name}`;
  }

  protected initialEvents(): ServerEvent[] {
    return [];
  }

  protected handleEvent(socket: WebSocket, { event }: ClientEvent): void {
    const how = event.endsWith("-admin") ? "?room=admin" : "?chat={id}";
    this.sockets.sendError(socket, event, `Connect with ${how} for this.`);
  }
}
