import { useRef, useState } from "react";
import { splitUrls } from "~/features/product-import/draft";
import { processImage } from "./process-image";
import { type RejectedFile, rejectionMessage } from "./rejected-files";

/** An image in the form: one that is kept, an address, or a file that waits to be uploaded. */
export interface Tile {
  key: string;
  /** As imageUrls has it; null for a file that isn't uploaded yet. */
  entry: string | null;
  name: string;
  blob?: Blob;
  /** A small copy of a file, as a data address. */
  preview?: string;
  state: "kept" | "making" | "ready" | "sending" | "failed";
  /** How much of it is sent, 0 to 1. */
  part: number;
  /** Of a file: what tells it from others. */
  file?: string;
}

export type Images = ReturnType<typeof useImages>;

const kept = (entry: string): Tile => ({ key: entry, entry, name: entry, state: "kept", part: 1 });

/**
 * The images of a product's form.
 *
 * @param entries that it begins with
 */
export function useImages(entries: string[]) {
  const [tiles, setTiles] = useState<Tile[]>(() => entries.map(kept));
  const latest = useRef(tiles);
  const update = (next: (all: Tile[]) => Tile[]) => {
    latest.current = next(latest.current);
    setTiles(latest.current);
  };
  /** What the tiles are now, whatever was drawn last. */
  const now = () => latest.current;
  const change = (key: string, changes: Partial<Tile>) =>
    update((all) => all.map((tile) => (tile.key === key ? { ...tile, ...changes } : tile)));
  const remove = (key: string) => update((all) => all.filter((tile) => tile.key !== key));
  const add = (tile: Tile) => update((all) => [...all, tile]);
  return {
    tiles,
    now,
    change,
    ...useFiles({ now, add, change, remove }),
    /** @returns what is wrong with one of the addresses, or null when all were added */
    addAddress(text: string): string | null {
      const addresses = [...new Set(splitUrls(text))];
      const problem = addresses.map((address) => addressProblem(address, now())).find(Boolean) ?? null;
      if (!problem) for (const address of addresses) add(kept(address));
      return problem;
    },
    remove,
    /** @param to its new place, from 0 */
    move: (key: string, to: number) => update((all) => moved(all, key, to)),
  };
}

interface Changes {
  now(): Tile[];
  add(tile: Tile): void;
  change(key: string, changes: Partial<Tile>): void;
  remove(key: string): void;
}

/** Files that are picked: each is made what the shop keeps. */
function useFiles({ now, add, change, remove }: Changes) {
  const [refused, setRefused] = useState<RejectedFile[]>([]);
  const made = useRef(0);

  async function addFile(file: File): Promise<void> {
    const key = `file-${made.current++}`;
    const { name } = file;
    if (now().some((tile) => tile.file === nameOf(file)))
      return setRefused((all) => [...all, { name, why: "Already there" }]);
    add({ key, entry: null, name, state: "making", part: 0, file: nameOf(file) });
    try {
      change(key, { ...(await processImage(file)), state: "ready" });
    } catch (error) {
      // What can't be used takes no place among the images.
      remove(key);
      setRefused((all) => [...all, { name, why: error instanceof Error ? error.message : "" }]);
    }
  }

  function addFiles(files: File[]): Promise<unknown> {
    setRefused([]);
    return Promise.all(files.map(addFile));
  }

  /** `problems` is what became of the files that were picked last, where they can't be used. */
  return { problems: rejectionMessage(refused), addFiles };
}

function addressProblem(address: string, tiles: Tile[]): string | null {
  if (!/^https:\/\/\S+$/i.test(address) || !URL.canParse(address))
    return "Must be an address that begins with https://";
  return tiles.some(({ entry }) => entry === address) ? "This image is already there" : null;
}

function nameOf({ name, size, lastModified }: File): string {
  return `${name}/${size}/${lastModified}`;
}

function moved(tiles: Tile[], key: string, to: number): Tile[] {
  const tile = tiles.find((each) => each.key === key);
  if (!tile || to < 0 || to >= tiles.length) return tiles;
  const rest = tiles.filter((other) => other !== tile);
  return [...rest.slice(0, to), tile, ...rest.slice(to)];
}
