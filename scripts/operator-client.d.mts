export function lockForRestore(stateDir: string): void;
