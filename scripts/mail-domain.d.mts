export function mailNotice(
  mailFrom: string,
  wrangler: (args: string[]) => { status: number | null; stdout: string },
): string | null;
export function repliesNotice(
  vars: { MAIL_FROM: string; MAIL_DOMAIN?: string; SUPPORT_EMAIL: string },
  worker: string,
  wrangler: (args: string[]) => { status: number | null; stdout: string },
): string;
