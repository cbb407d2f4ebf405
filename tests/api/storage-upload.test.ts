import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { readImage } from "~/features/storage/image-formats";
import { removeUnusedImages } from "../../app/features/storage/operations/objects.server";
import { IMAGES } from "../fixtures/images";
import { manager, readAnswer } from "../support/people";
import { addProduct, call } from "../support/shop";

let token = "";
let productId = "";
beforeAll(async () => {
  token = (await manager()).token;
  productId = await addProduct({ name: "Pictured" });
});

const decoded = (name: keyof typeof IMAGES) => Uint8Array.from(atob(IMAGES[name]), (c) => c.charCodeAt(0));
const file = (content: BlobPart, name: string, type = "image/jpeg") => new File([content], name, { type });

function upload(files: File[], product: string | null = productId): Promise<Response> {
  const form = new FormData();
  for (const each of files) form.append("files", each);
  if (product !== null) form.append("productId", product);
  return call("/api/storage/upload", { body: form, token });
}

/** Uploads one image and returns the stored one. */
async function kept(content: BlobPart, name = "a.jpg") {
  const answer = await upload([file(content, name)]);
  expect(answer.status).toBe(201);
  const { objectKeys } = (await answer.json()) as { objectKeys: string[] };
  const shown = await call(`/api/storage/object?key=${encodeURIComponent(objectKeys[0] ?? "")}`);
  const bytes = new Uint8Array(await shown.arrayBuffer());
  return { key: objectKeys[0] ?? "", shown, bytes, header: readImage(bytes) };
}

/** Colors of the pixels at the top left and at the bottom. */
async function ends(bytes: Uint8Array<ArrayBuffer>) {
  return [await colorAt(bytes, "top"), await colorAt(bytes, "bottom")];
}

/** Color at an edge, read from a PNG of that edge alone. */
async function colorAt(bytes: Uint8Array<ArrayBuffer>, gravity: "top" | "bottom" | "left" | "right") {
  const cut = env.IMAGES.input(new Blob([bytes]).stream());
  const made = cut.transform({ width: 4, height: 4, fit: "cover", gravity });
  const png = new Uint8Array(await (await made.output({ format: "image/png" })).response().arrayBuffer());
  const at = new TextDecoder("latin1").decode(png).indexOf("IDAT") + 4;
  const inflated = new Blob([png.subarray(at, at + new DataView(png.buffer).getUint32(at - 8))])
    .stream()
    .pipeThrough(new DecompressionStream("deflate"));
  return [...new Uint8Array(await new Response(inflated).arrayBuffer()).subarray(1, 4)];
}

const isRed = ([r = 0, g = 0, b = 0] = [] as number[]) => r > 200 && g < 60 && b < 60;
const isBlue = ([r = 0, g = 0, b = 0] = [] as number[]) => r < 60 && g < 60 && b > 200;

describe("POST storage/upload", () => {
  it("stores each processed file under a new key: 201 {objectKeys}", async () => {
    const answer = await upload([
      file(decoded("wideJpeg"), "../../etc/a.jpg"),
      file(decoded("alphaPng"), "b.png"),
    ]);
    expect(answer.status).toBe(201);
    const { objectKeys } = (await answer.json()) as { objectKeys: string[] };
    expect(objectKeys[0]).toMatch(/^products\/[\da-f-]{36}\.jpg$/);
    expect(objectKeys[1]).toMatch(/^products\/[\da-f-]{36}\.png$/);
  });

  it("scales images down to 1,024 px, never up", async () => {
    expect((await kept(decoded("wideJpeg"))).header).toMatchObject({ width: 1024, height: 8 });
    expect((await kept(decoded("opaquePng"))).header).toMatchObject({ width: 16, height: 8 });
  });

  it.each([
    ["alphaPng", "image/png"],
    ["alphaGif", "image/png"],
    ["opaquePng", "image/jpeg"],
    ["alphaWebp", "image/jpeg"],
    ["wideJpeg", "image/jpeg"],
  ] as const)("%s is stored as %s", async (name, type) => {
    const { shown, header } = await kept(decoded(name), "whatever.bin");
    expect([shown.headers.get("Content-Type"), header?.type]).toEqual([type, type]);
  });

  it.each(["turnedJpeg", "turnedWebp"] as const)(
    "%s is turned upright and loses its location",
    async (name) => {
      expect(new TextDecoder("latin1").decode(decoded(name))).toContain("Camera of note");
      const { bytes, header } = await kept(decoded(name));
      expect(header).toMatchObject({ width: 20, height: 40, orientation: 1 });
      const [top, bottom] = await ends(bytes);
      expect([isRed(top), isBlue(bottom)]).toEqual([true, true]);
      expect(new TextDecoder("latin1").decode(bytes)).not.toMatch(/Exif|Camera of note|Somebody/);
    },
  );

  it.each([
    [1, "left"],
    [2, "right"],
    [3, "right"],
    [4, "left"],
    [5, "top"],
    [6, "top"],
    [7, "bottom"],
    [8, "bottom"],
  ] as const)("an orientation of %i puts what was left at the %s", async (orientation, place) => {
    const bytes = decoded("turnedJpeg");
    const tag = bytes.findIndex((byte, at) => byte === 0x12 && bytes[at + 1] === 0x01);
    bytes[tag + 8] = orientation;
    const picture = await kept(bytes);
    const [width, height] = orientation < 5 ? [40, 20] : [20, 40];
    expect(picture.header).toMatchObject({ width, height });
    expect(isRed(await colorAt(picture.bytes, place))).toBe(true);
  });

  it("puts a transparent WebP on white", async () => {
    const color = await colorAt((await kept(decoded("alphaWebp"))).bytes, "top");
    expect(Math.min(...color)).toBeGreaterThan(240);
  });

  it("stores a GIF without a transparent color as JPEG", async () => {
    const gif = decoded("opaqueGif");
    const control = gif.findIndex((byte, at) => byte === 0x21 && gif[at + 1] === 0xf9);
    gif[control + 3] = 0;
    expect((await kept(gif)).header?.type).toBe("image/jpeg");
  });

  it.each(["animatedGif", "animatedWebp"] as const)("%s becomes its first frame", async (name) => {
    const { bytes, header } = await kept(decoded(name));
    expect(header).toMatchObject({ width: 16, height: 8 });
    expect(isRed((await ends(bytes))[1])).toBe(true);
  });

  it("detects the type by content, not by name or declared type", async () => {
    const answer = await upload([file(decoded("alphaPng"), "page.html", "text/html")]);
    expect(answer.status).toBe(201);
  });

  it("removes HTML inside a JPEG and serves images as images only", async () => {
    const html = new TextEncoder().encode("<html><script>alert(1)</script></html>");
    const jpeg = decoded("wideJpeg");
    const comment = new Uint8Array([0xff, 0xfe, 0, html.length + 2, ...html]);
    const { shown, bytes } = await kept(new Blob([jpeg.subarray(0, 2), comment, jpeg.subarray(2), html]));
    expect(new TextDecoder("latin1").decode(bytes)).not.toContain("<script>");
    expect(shown.headers.get("Content-Type")).toBe("image/jpeg");
    expect(shown.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(shown.headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*sandbox/);
  });
});

describe("rejected uploads, with the file's name", () => {
  const hugePng = decoded("opaquePng");
  new DataView(hugePng.buffer).setUint32(16, 50_000);
  new DataView(hugePng.buffer).setUint32(20, 50_000);
  const text = (content: string) => new TextEncoder().encode(content);
  const halfOf = (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, Math.floor(bytes.length / 2));
  const heic = text("\0\0\0\x18ftypheic\0\0\0\0mif1heic and so on");
  const bmp = new Uint8Array(80);
  bmp.set(text("BM"));

  it.each([
    ["an SVG", text('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, "Unsupported image format: it.jpg"],
    ["HTML named .jpg", text("<html><script>alert(1)</script>"), 415, "Unsupported image format: it.jpg"],
    ["nothing", text(""), 415, "Unsupported image format: it.jpg"],
    ["a HEIC", heic, 415, "Failed to process images: it.jpg"],
    ["a BMP", bmp, 415, "Failed to process images: it.jpg"],
    ["half a JPEG", halfOf(decoded("wideJpeg")), 400, "Failed to process images: it.jpg"],
    ["half a PNG", halfOf(decoded("alphaPng")), 400, "Failed to process images: it.jpg"],
    ["half a GIF", halfOf(decoded("animatedGif")), 400, "Failed to process images: it.jpg"],
    ["half a WebP", halfOf(decoded("animatedWebp")), 400, "Failed to process images: it.jpg"],
    ["2,500 megapixels", hugePng, 413, "it.jpg has more than 50 megapixels"],
    ["11 MB", new Uint8Array(11 * 1024 * 1024), 413, "it.jpg is larger than 10 MB"],
  ])("%s", async (_, content, status, message) => {
    const answer = await upload([file(decoded("opaquePng"), "fine.png"), file(content, "it.jpg")]);
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([status, message]);
  });

  it("a picture with a valid header and broken data; nothing of the call is stored", async () => {
    const broken = decoded("alphaPng");
    broken.fill(7, 60, broken.length - 20);
    const before = (await env.BUCKET.list({ prefix: "products/" })).objects.length;
    const answer = await upload([file(decoded("opaquePng"), "fine.png"), file(broken, "broken.png")]);
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([
      400,
      "Failed to process images: broken.png",
    ]);
    expect((await env.BUCKET.list({ prefix: "products/" })).objects.length).toBe(before);
  });

  it("21 files, no file, no product, an unknown product", async () => {
    const one = file(decoded("opaquePng"), "a.png");
    expect((await upload(Array.from({ length: 21 }, () => one))).status).toBe(400);
    expect((await upload([])).status).toBe(400);
    expect((await readAnswer(await upload([one], null))).details?.[0]?.path).toBe("productId");
    const gone = await upload([one], "nobody");
    expect([gone.status, (await readAnswer(gone)).message]).toEqual([404, "Product not found"]);
  });

  it("another content type (415) and a form over 50 MB (413)", async () => {
    expect((await call("/api/storage/upload", { json: {}, token })).status).toBe(415);
    const six = Array.from({ length: 6 }, () => file(new Uint8Array(9_000_000), "a.jpg"));
    expect((await upload(six)).status).toBe(413);
  });
});

describe("nightly cleanup", () => {
  const DAY = 86_400_000;
  const isThere = async (key: string) => (await env.BUCKET.head(key)) !== null;

  it("removes images that no product names after a day", async () => {
    const [orphan, used] = [(await kept(decoded("alphaPng"))).key, (await kept(decoded("alphaPng"))).key];
    await call(`/api/product/${productId}`, { method: "PUT", json: { imageUrls: [`minio:${used}`] }, token });
    await removeUnusedImages(env, Date.now() + DAY - 60_000);
    expect([await isThere(orphan), await isThere(used)]).toEqual([true, true]);
    await removeUnusedImages(env, Date.now() + DAY + 60_000);
    expect([await isThere(orphan), await isThere(used)]).toEqual([false, true]);
  });

  it("scans a part of the bucket per night and continues there", async () => {
    const keys = ["a", "b", "c", "d", "e"].map((name) => `products/0-${name}.jpg`);
    for (const key of keys) await env.BUCKET.put(key, "x");
    const left = async () => (await Promise.all(keys.map(isThere))).filter(Boolean).length;
    const nights: number[] = [];
    for (let night = 0; night < 3; night++) {
      await removeUnusedImages(env, Date.now() + 2 * DAY, { pageSize: 2, maxPages: 1 });
      nights.push(await left());
    }
    expect(nights).toEqual([3, 1, 0]);
    await removeUnusedImages(env, Date.now() + 2 * DAY);
    expect((await env.BUCKET.list({ prefix: "sweep/" })).objects).toEqual([]);
  });

  it("keeps the images of a deleted product while another product names them", async () => {
    const { key } = await kept(decoded("alphaPng"));
    const twins = await Promise.all(
      ["one", "two"].map((name) => addProduct({ name, imageUrls: [`minio:${key}`] })),
    );
    for (const [place, id] of twins.entries()) {
      await call(`/api/product/${id}`, { method: "DELETE", token });
      await removeUnusedImages(env, Date.now() + 2 * DAY);
      expect(await isThere(key)).toBe(place === 0);
    }
  });
});
