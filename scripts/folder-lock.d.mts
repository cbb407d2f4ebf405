export function lockFolder(stateDir: string, name: string): string | null;
export function unlockFolder(stateDir: string, name: string): void;
