import type { ChildProcess } from "node:child_process";

export const ROOT: string;
export const CURRENCY_MODULE: string;
export const ENV: Record<string, string | undefined>;
export const DEMO_SIGN_INS: { role: string; email: string; password: string }[];
export function install(): void;
export function build(): void;
export function prepare(stateDir: string, options?: { seed?: boolean; data?: string }): void;
export function applyMigrations(stateDir: string, migrations: { name: string; sql: string }[]): void;
export function requirePort(command: string, neighbours?: (port: number) => number[]): Promise<number>;
export function requireFolder(stateDir: string, command: string): void;
export function serve(options: {
  port: number;
  stateDir: string;
  quiet?: boolean;
  front?: string;
  config?: string;
  vars?: Record<string, string>;
  env?: Record<string, string>;
}): {
  child: ChildProcess;
  ready: Promise<void>;
};
export function backupKey(stateDir: string): string;
export function stateDirectory(): string;
