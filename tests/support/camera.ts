import { writeFileSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";

/** Bars as a label's SVG has them. */
export interface PrintedBars {
  path: string;
  /** Modules. */
  width: number;
}

const [WIDTH, HEIGHT] = [640, 480];
/** Brightness of a sheet of paper, and of ink. */
const [PAPER, INK] = [235, 16];

/** Writes a video of a printed barcode, for a browser's camera. */
export function filmBars(file: string, { path, width }: PrintedBars): void {
  const scale = Math.floor((WIDTH * 0.9) / width);
  const left = Math.floor((WIDTH - scale * width) / 2);
  const row = Buffer.alloc(WIDTH, PAPER);
  for (const [, from, size] of path.matchAll(/M(\d+) 0h(\d+)v1/g))
    row.fill(INK, left + Number(from) * scale, left + (Number(from) + Number(size)) * scale);
  const blank = Buffer.alloc(WIDTH, PAPER);
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    y > HEIGHT / 4 && y < (HEIGHT * 3) / 4 ? row : blank,
  );
  const frame = Buffer.concat([
    Buffer.from("FRAME\n"),
    ...rows,
    // No colour.
    Buffer.alloc((WIDTH * HEIGHT) / 2, 128),
  ]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420\n`);
  writeFileSync(file, Buffer.concat([head, frame, frame]));
}

/** Starts a browser whose camera shows a film. */
export const browserWithCamera = (film: string): Promise<Browser> =>
  chromium.launch({
    ...(process.env.HEADLESS_SHELL_PATH && { executablePath: process.env.HEADLESS_SHELL_PATH }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
