export function lockFolder(stateDir: string, name: string): string | null;
