/** The rules of chats, by subject in operations/. */
export { latestChatId, seatIn, staffSeat } from "./operations/access.server";
export { attachVisitChat, dropAccountChats } from "./operations/browser-chats.server";
export {
  createCartChat,
  createChat,
  createProductChat,
  startCartChat,
  startProductChat,
} from "./operations/create.server";
export { openByLink, requireLink } from "./operations/links.server";
export {
  chatCart,
  deleteChat,
  listChats,
  markRead,
  postMessage,
  postReply,
  readChatFor,
  readMessages,
  type ShownLine,
  unreadMessages,
} from "./operations/messages.server";
export {
  createResponse,
  deleteResponse,
  deleteResponseByForm,
  listResponses,
  updateResponse,
  updateResponseByForm,
} from "./operations/responses.server";
export {
  answersOf,
  endedSessions,
  forgetChat,
  importOf,
  mailStaff,
  mailVisitor,
  saveChatRow,
  setOnlineFromRoom,
  staffAddresses,
} from "./operations/rooms.server";
export { endLiveConnections } from "./operations/sessions.server";
export { readSettings, updateSettings, updateSettingsByForm } from "./operations/settings.server";
