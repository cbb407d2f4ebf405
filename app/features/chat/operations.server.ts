/** Operations of chats and their messages, responses and settings. */
export {
  attachVisitChats,
  chatIdentity,
  dropAccountChats,
  endLiveConnections,
  isContinued,
  latestChatId,
  staffIdentity,
  visitorChats,
} from "./operations/access.server";
export { productsOf, readCardProducts, staffProductsOf } from "./operations/cards.server";
export {
  createChat,
  startCartChat,
  startChat,
  startFavouritesChat,
  startProductChat,
} from "./operations/create.server";
export { deleteFiles, removeOrphanFiles } from "./operations/file-removal.server";
export { readFile } from "./operations/files.server";
export {
  listAssignees,
  listChats,
  listConsoleChats,
  readChatVisitor,
  reportSpan,
  updateChat,
} from "./operations/list.server";
export { mailStaff, mailVisitor, openByLink, requireLink } from "./operations/mails.server";
export {
  type ChatCartLineNow,
  countAnswers,
  deleteChat,
  listOwnChats,
  markRead,
  type OwnChat,
  postMessage,
  postReply,
  readCartNow,
  readChatFor,
  readMessages,
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
  deleteChatRow,
  endedSessions,
  findChatImport,
  loadAutoReplies,
  recordFirstAnswer,
  saveChatRow,
  setOnlineFromRoom,
  staffAddresses,
} from "./operations/rooms.server";
export { readSettings, updateSettings, updateSettingsByForm } from "./operations/settings.server";
