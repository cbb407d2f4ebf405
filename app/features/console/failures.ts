const ACTION_LABELS: Record<string, string> = {
  send: "send message",
  deleteChat: "delete chat",
  updateChat: "update chat",
  addResponse: "create predefined response",
  updateResponse: "update response",
  deleteResponse: "delete response",
  settings: "save settings",
};

/** Builds the message for a form that did not reach the server. */
export const networkFailureMessage = (intent: string, reason: string) =>
  `Failed to ${ACTION_LABELS[intent] ?? "send"}. ${reason}`;
