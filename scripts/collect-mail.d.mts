export function collectMail(stateDir: string): () => void;
