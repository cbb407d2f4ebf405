export function missingMigrations(applied: string[]): { names: string[]; sql: string };
