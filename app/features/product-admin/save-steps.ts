import type { Plate } from "~/domain/engraving-plate";
import { coloursOf } from "~/features/catalogue/units";
import { platesInOrder } from "./plates";
import { withCodes } from "./schema";
import { plainPrices, type SentUnits, sentUnits } from "./sent-units";
import { type UnitsDraft, withStocks } from "./units-draft";
import type { Images } from "./useImages";

const NEW_STEPS = ["Product", "Images", "Image list"] as const;
/** An edit stores the product with its list of images. */
const EDIT_STEPS = [null, "Images", "Product"] as const;

/** Names the steps; null for one that is left out. */
export const stepsOf = (isNew: boolean) => (isNew ? NEW_STEPS : EDIT_STEPS);

export type StepNumber = 0 | 1 | 2;

export interface SaveInput {
  /** Id; the form chooses that of a new product, so that a repeated request stores one product. */
  id: string;
  isNew: boolean;
  /** Values that the form opened with. */
  opened: Record<string, unknown>;
  /** Values of an edit conflict, which the next attempt overwrites; `stock` among them. */
  seen: { current: Record<string, unknown> };
  images: Images;
  /** By the key of their image's tile. */
  plates: Record<string, Plate>;
  /** Options and units that the form opened with. */
  openedUnits: UnitsDraft;
}

/** Product created before a later step failed. */
export interface CreatedProduct {
  id: string;
  name: string;
}

export class StepError extends Error {
  /** True when signing in lets it continue. */
  readonly isSignedOut: boolean;
  /** Error messages by field. */
  readonly problems: Record<string, string>;

  constructor(
    readonly step: StepNumber,
    prefix: string,
    error: unknown,
  ) {
    super(prefix + (error instanceof Error ? error.message : UNKNOWN));
    this.isSignedOut = isSignedOut(error);
    this.problems = problemsOf(error);
  }
}

const VALUES = ["was", "stockWas", "heldWas", "unitsWas"];
/** Fields whose parts have messages of their own. */
const PARTS = /^(?:options|units)\./;

/** Reads the messages of an error by field; those of VALUES have values in place of one. */
function problemsOf(error: unknown): Record<string, string> {
  const details = error instanceof ApiError ? error.details : [];
  const named = details.filter(({ path }) => !VALUES.includes(String(path)));
  // Of several of one field the first stays.
  return Object.fromEntries(
    named
      .reverse()
      .map(({ path, message = "" }) => [
        PARTS.test(String(path)) ? path : String(path).split(".")[0],
        message,
      ]),
  );
}

/**
 * Runs the steps of saving, from the first one that is not done.
 *
 * @param fields values of the form
 * @param units options and units of the form, their pictures by the keys of tiles
 * @param created product of an earlier attempt; set once one is created
 * @param onStep called as each step begins
 * @throws StepError
 */
export async function saveProduct(
  input: SaveInput,
  created: { current: CreatedProduct | null },
  { units, ...fields }: Record<string, unknown> & { units: UnitsDraft },
  onStep: (step: StepNumber) => void,
): Promise<void> {
  const { isNew, opened, images, seen } = input;
  const failed = (step: StepNumber, prefix: string) => (error: unknown) => {
    throw new StepError(step, prefix, error);
  };
  const [saveFailed, uploadFailed] = ["Failed to save product: ", "Failed to upload images: "];
  onStep(0);
  if (isNew && !created.current) {
    const product = {
      ...withUnits(fields, units, input, (key) => entryOf(images, key) ?? ""),
      id: input.id,
      imageUrls: images.current().flatMap(({ entry }) => entry ?? []),
    };
    const createdId = await createProduct(product).catch(failed(0, saveFailed));
    created.current = { id: createdId, name: String(fields.name) };
  }
  const id = created.current?.id ?? input.id;
  onStep(1);
  const uploaded = await uploadAll(id, images).catch(failed(1, uploadFailed));
  onStep(2);
  const imageUrls = images.current().flatMap(({ key, entry }) => entry ?? uploaded.get(key) ?? []);
  const stored = (key: string) => uploaded.get(key) ?? entryOf(images, key);
  const byEntry = Object.entries(input.plates).map(([key, plate]) => [stored(key) ?? key, plate]);
  const product = { ...fields, imageUrls, plates: platesInOrder(imageUrls, Object.fromEntries(byEntry)) };
  const changes = isNew ? product : changedFields(product, opened);
  const sent = withUnits(changes, units, input, (key) => stored(key) ?? "");
  const known = { ...opened, ...seen.current, units: input.openedUnits.units.map((unit) => unit.id) };
  await updateProduct(id, isNew ? sent : withSeen(sent, known)).catch((error) => {
    seen.current = { ...seen.current, ...valuesOfConflict(error) };
    return failed(2, saveFailed)(error);
  });
}

const entryOf = (images: Images, key: string) => images.current().find((tile) => tile.key === key)?.entry;

/** Replaces what a product has as a whole by its options and units, and the codes of an only unit by this unit. */
function withUnits(
  { sku, barcode, ...fields }: Record<string, unknown>,
  units: UnitsDraft,
  { openedUnits, isNew, seen }: SaveInput,
  entryOf: (key: string) => string,
): Record<string, unknown> {
  const draft = { ...units, units: units.units.map((unit) => ({ ...unit, image: entryOf(unit.image) })) };
  const before = isNew ? openedUnits : withStocks(openedUnits, seenStocks(seen));
  const sent = sentUnits(draft, before);
  if (!draft.isCounted) {
    const codes = Object.entries({ sku, barcode }).filter(([, code]) => (isNew ? code : code !== undefined));
    return { ...fields, ...withCodes(sent, Object.fromEntries(codes)) };
  }
  const { stock: _stock, optionLabel: _label, colors: _colors, ...others } = fields;
  return { ...others, ...planned(sent) };
}

/** Names the colours of the options, which are the product's. */
const planned = ({ options, units = [] }: SentUnits) =>
  options ? { options, units: plainPrices(units), colors: coloursOf(options) } : {};

const seenStocks = ({ current }: SaveInput["seen"]) => (current.unitStocks ?? {}) as Record<string, unknown>;

/** Picks the changed fields, so that edits of others are not overwritten. */
function changedFields(
  fields: Record<string, unknown>,
  opened: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(opened[name])),
  );
}

/** Adds the values that the seller saw of the changed fields, since a colleague or a sale may have changed them. */
function withSeen(changes: Record<string, unknown>, seen: Record<string, unknown>): Record<string, unknown> {
  const was = Object.fromEntries(Object.keys(changes).map((name) => [name, seen[name] ?? null]));
  if (!("stock" in changes) || typeof seen.stock !== "string") return { ...changes, was };
  return { ...changes, stockWas: seen.stock, heldWas: seen.held, was };
}

/** Reads the stored values that an edit conflict names. */
function valuesOfConflict(error: unknown): Record<string, unknown> {
  const details = error instanceof ApiError ? error.details : [];
  const detail = (name: string) => details.find(({ path }) => path === name)?.message;
  const [stock, held, was] = [detail("stockWas"), detail("heldWas"), detail("was")];
  const unitStocks = detail("unitsWas");
  return {
    ...(was && (JSON.parse(was) as object)),
    ...(stock !== undefined && { stock }),
    ...(held !== undefined && { held }),
    ...(unitStocks !== undefined && { unitStocks: JSON.parse(unitStocks) as object }),
  };
}

async function uploadAll(id: string, images: Images): Promise<Map<string, string>> {
  const uploaded = new Map<string, string>();
  for (const { key, entry, blob, name } of images.current()) {
    if (entry !== null || !blob) continue;
    images.change(key, { state: "uploading", progress: 0 });
    try {
      const uploadedEntry = await uploadImage(id, { blob, name }, (progress) =>
        images.change(key, { progress }),
      );
      uploaded.set(key, uploadedEntry);
      images.change(key, { entry: uploadedEntry, state: "stored", progress: 1 });
    } catch (error) {
      images.change(key, { state: "failed", progress: 0 });
      throw error;
    }
  }
  return uploaded;
}

const UNKNOWN = "Unknown error";
const CONNECTION_LOST = "The connection broke. Please try again.";

class ApiError extends Error {
  readonly details: { path?: unknown; message?: string }[];

  constructor(
    body: Record<string, unknown>,
    readonly status: number,
  ) {
    super(errorMessage(body));
    this.details = Array.isArray(body.details) ? body.details : [];
  }
}

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Creates a product; a conflict means that a repeated request has created it already. @returns its id */
async function createProduct(product: Record<string, unknown> & { id: string }): Promise<string> {
  const response = await sendJson("POST", "/api/product", product);
  const body = await readJson(response);
  if (response.status === 409) return product.id;
  if (!response.ok) throw new ApiError(body, response.status);
  const id = body.productId ?? body.id;
  if (typeof id !== "string" || id === "")
    throw new Error("Failed to create product: No product ID returned");
  return id;
}

async function updateProduct(id: string, changes: Record<string, unknown>): Promise<void> {
  const response = await sendJson("PUT", `/api/product/${id}`, changes);
  if (!response.ok) throw new ApiError(await readJson(response), response.status);
}

function sendJson(method: "POST" | "PUT", url: string, value: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return fetch(url, { method, headers, body: JSON.stringify(value) }).catch(() => {
    throw new Error(CONNECTION_LOST);
  });
}

/**
 * Uploads one picture.
 *
 * @param onProgress called with the uploaded share, 0 to 1
 * @returns entry for imageUrls
 */
function uploadImage(
  productId: string,
  image: { blob: Blob; name: string },
  onProgress: (progress: number) => void,
): Promise<string> {
  const form = new FormData();
  form.append("files", image.blob, image.name);
  form.append("productId", productId);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/storage/upload");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Error(CONNECTION_LOST));
    request.onload = () => {
      const body = (request.response ?? {}) as Record<string, unknown>;
      if (request.status !== 201) return reject(new ApiError(body, request.status));
      const key = Array.isArray(body.objectKeys) ? body.objectKeys[0] : undefined;
      if (typeof key !== "string") return reject(new Error("No images were uploaded successfully"));
      resolve(`minio:${key}`);
    };
    request.send(form);
  });
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  try {
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function errorMessage(body: Record<string, unknown>): string {
  const message = body.ERR_MSG ?? body.message;
  return typeof message === "string" && message !== "" ? message : UNKNOWN;
}
