import { useRef, useState } from "react";
import { makeImage } from "./image-work";

/** An image in the form: one that is kept, an address, or a file that waits to be uploaded. */
export interface Tile {
  key: string;
  /** As imageUrls has it; null for a file that isn't uploaded yet. */
  entry: string | null;
  name: string;
  blob?: Blob;
  /** A small copy of a file, as a data address. */
  preview?: string;
  state: "kept" | "making" | "ready" | "sending";
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
  latest.current = tiles;
  const change = (key: string, changes: Partial<Tile>) =>
    setTiles((all) => all.map((tile) => (tile.key === key ? { ...tile, ...changes } : tile)));
  const remove = (key: string) => setTiles((all) => all.filter((tile) => tile.key !== key));
  const add = (tile: Tile) => setTiles((all) => [...all, tile]);
  return {
    tiles,
    /** What the tiles are now, whatever was drawn last. */
    now: () => latest.current,
    change,
    ...useFiles(tiles, { add, change, remove }),
    /** @returns what is wrong with an address, or null when it was added */
    addAddress(text: string): string | null {
      const problem = addressProblem(text.trim(), tiles);
      if (!problem) add(kept(text.trim()));
      return problem;
    },
    remove,
    /** @param to its new place, from 0 */
    move: (key: string, to: number) => setTiles((all) => moved(all, key, to)),
  };
}

interface Changes {
  add(tile: Tile): void;
  change(key: string, changes: Partial<Tile>): void;
  remove(key: string): void;
}

/** Files that are picked: each is made what the shop keeps. */
function useFiles(tiles: Tile[], { add, change, remove }: Changes) {
  const [problems, setProblems] = useState<string[]>([]);
  const made = useRef(0);

  async function addFile(file: File): Promise<void> {
    const key = `file-${made.current++}`;
    const { name } = file;
    add({ key, entry: null, name, state: "making", part: 0, file: nameOf(file) });
    try {
      change(key, { ...(await makeImage(file)), state: "ready" });
    } catch (error) {
      // What can't be used takes no place among the images.
      remove(key);
      setProblems((all) => [...all, problemOf(error, name)]);
    }
  }

  function addFiles(files: File[]): Promise<unknown> {
    const isKnown = (file: File) => tiles.some((tile) => tile.file === nameOf(file));
    setProblems(files.filter(isKnown).map(({ name }) => `${name} is already there`));
    return Promise.all(files.filter((file) => !isKnown(file)).map(addFile));
  }

  /** `problems` is what became of the files that were picked last, where they can't be used. */
  return { problems, addFiles };
}

function addressProblem(address: string, tiles: Tile[]): string | null {
  if (!/^https:\/\//i.test(address) || !URL.canParse(address))
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

/** Back office 8; a format that isn't taken has its own words. */
function problemOf(error: unknown, name: string): string {
  const why = error instanceof Error ? error.message : "";
  if (why === "Unsupported image format") return `${why}: ${name}`;
  return `Failed to process images: ${name}${why ? ` (${why})` : ""}`;
}
