export function mailNotice(
  mailFrom: string,
  wrangler: (args: string[]) => { status: number | null; stdout: string },
): string | null;
