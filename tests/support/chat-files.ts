import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { IMAGES } from "../fixtures/images";
import { call } from "./shop";

export const text = (content: string) => new TextEncoder().encode(content);

/** A PDF that opens with a script. */
export const PDF = text(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);

export const decoded = (name: keyof typeof IMAGES) =>
  Uint8Array.from(atob(IMAGES[name]), (c) => c.charCodeAt(0));
export const pictureFile = (image: keyof typeof IMAGES, name: string) =>
  new File([decoded(image)], name, { type: "image/jpeg" });
export const pdfFile = (name: string) => new File([PDF], name, { type: "application/pdf" });

/** A small PNG that claims 50,000 × 50,000 pixels. */
export function hugePng() {
  const png = decoded("opaquePng");
  new DataView(png.buffer).setUint32(16, 50_000);
  new DataView(png.buffer).setUint32(20, 50_000);
  return png;
}

/** File beside a message in API responses. */
interface FileCard {
  type: string;
  key: string;
  name: string;
  contentType: string;
  size: number;
  width?: number;
  height?: number;
}

/** Expects a stored message and returns it. */
export async function posted(answer: Response) {
  expect(answer.status, await answer.clone().text()).toBe(201);
  return (await answer.json()) as { message: string; seq: number; cards: FileCard[] };
}

/** Reads a file. @param more further parameters, such as `&w=320` */
export const fileOf = (key: string, by: { cookie?: string; token?: string } = {}, more = "") =>
  call(`/api/chat/file?key=${encodeURIComponent(key)}${more}`, by);

let addresses = 0;

/** Posts a message with files, each from an address of its own, because the rate limit counts by address. */
export function postFiles(
  { chatId, ...by }: { chatId: string; cookie?: string; token?: string },
  files: File[],
  fields: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  const all = { chatId, senderName: "Ines", isFromAdmin: "false", ...fields };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  for (const file of files) form.append("files", file);
  addresses++;
  const headers = { "CF-Connecting-IP": `2001:db8:1::${addresses.toString(16)}` };
  return call("/api/chat/message", { body: form, headers, ...by });
}

/** Lists the keys of all files of chats. */
export async function fileKeysInBucket(): Promise<string[]> {
  return (await env.BUCKET.list({ prefix: "chats/" })).objects.map(({ key }) => key);
}
