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
  state: "kept" | "making" | "ready" | "sending" | "failed";
  /** How much of it is sent, 0 to 1. */
  part: number;
  problem?: string;
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
  const made = useRef(0);
  const latest = useRef(tiles);
  latest.current = tiles;
  const change = (key: string, changes: Partial<Tile>) =>
    setTiles((all) => all.map((tile) => (tile.key === key ? { ...tile, ...changes } : tile)));

  async function addFile(file: File): Promise<void> {
    const key = `file-${made.current++}`;
    const { name } = file;
    setTiles((all) => [...all, { key, entry: null, name, state: "making", part: 0 }]);
    try {
      change(key, { ...(await makeImage(file)), state: "ready" });
    } catch (error) {
      change(key, { state: "failed", problem: problemOf(error, name) });
    }
  }

  return {
    tiles,
    /** What the tiles are now, whatever was drawn last. */
    now: () => latest.current,
    change,
    addFiles: (files: File[]) => Promise.all(files.map(addFile)),
    /** @returns what is wrong with an address, or null when it was added */
    addAddress(text: string): string | null {
      const address = text.trim();
      if (!/^https:\/\//i.test(address) || !URL.canParse(address))
        return "Must be an address that begins with https://";
      if (tiles.some(({ entry }) => entry === address)) return "This image is already there";
      setTiles((all) => [...all, kept(address)]);
      return null;
    },
    remove: (key: string) => setTiles((all) => all.filter((tile) => tile.key !== key)),
    move: (key: string, by: -1 | 1) => setTiles((all) => moved(all, key, by)),
  };
}

function moved(tiles: Tile[], key: string, by: -1 | 1): Tile[] {
  const from = tiles.findIndex((tile) => tile.key === key);
  const tile = tiles[from];
  const to = from + by;
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
