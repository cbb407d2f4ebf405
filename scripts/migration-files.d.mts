export interface Migration {
  name: string;
  sql: string;
}
export function firstMigrations(count?: number): Migration[];
export function missingMigrations(applied: string[]): Migration[];
export function statementsOf(migrations: Migration[]): string;
