export function collectMail(stateDir: string, url?: string): () => void;
export function removeErasedMails(
  stateDir: string,
  traces: { chats: string[]; addresses: string[] }[],
): number;
