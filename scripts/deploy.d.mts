export function deploy(tools: {
  config: object;
  say(note: string): void;
  wrangler(args: string[]): { status: number | null; stdout: string; stderr?: string };
  build(): boolean;
  get(url: string): Promise<{ status: number; json(): Promise<unknown> }>;
  pause(): Promise<void>;
  cookieSecret?: string;
}): Promise<string[]>;
