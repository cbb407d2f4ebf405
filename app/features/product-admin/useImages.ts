import { type DragEvent, useRef, useState } from "react";
import { splitUrls } from "~/records/cells";
import { processImage, type RefusedFile, refusalMessages } from "./process-image";

/** Image in the form: a stored one, a URL, or a file to upload. */
export interface Tile {
  key: string;
  /** Entry of imageUrls; null before the upload. */
  entry: string | null;
  name: string;
  blob?: Blob;
  /** Small copy of a file as a data URL. */
  preview?: string;
  state: "stored" | "processing" | "ready" | "uploading" | "failed";
  /** Uploaded share, 0 to 1. */
  progress: number;
  /** Identity of a file, which detects duplicates. */
  fileId?: string;
}

export type Images = ReturnType<typeof useImages>;

const storedTile = (entry: string): Tile => ({
  key: entry,
  entry,
  name: entry,
  state: "stored",
  progress: 1,
});

/** Images of the product form. @param entries initial ones */
export function useImages(entries: string[]) {
  const [tiles, setTiles] = useState<Tile[]>(() => entries.map(storedTile));
  const latest = useRef(tiles);
  const update = (next: (all: Tile[]) => Tile[]) => {
    latest.current = next(latest.current);
    setTiles(latest.current);
  };
  /** Returns the current tiles, which may be newer than the rendered ones. */
  const current = () => latest.current;
  const change = (key: string, changes: Partial<Tile>) =>
    update((all) => all.map((tile) => (tile.key === key ? { ...tile, ...changes } : tile)));
  const remove = (key: string) => update((all) => all.filter((tile) => tile.key !== key));
  const add = (tile: Tile) => update((all) => [...all, tile]);
  return {
    tiles,
    current,
    change,
    ...useFiles({ current, add, change, remove }),
    /** Adds URLs. @returns an error message, or null */
    addUrl(text: string): string | null {
      const urls = [...new Set(splitUrls(text))];
      const problem = urls.map((url) => urlProblem(url, current())).find(Boolean) ?? null;
      if (!problem) for (const url of urls) add(storedTile(url));
      return problem;
    },
    remove,
    /** Moves an image. @param to new position, from 0 */
    move: (key: string, to: number) => update((all) => moveTile(all, key, to)),
  };
}

interface TileActions {
  current(): Tile[];
  add(tile: Tile): void;
  change(key: string, changes: Partial<Tile>): void;
  remove(key: string): void;
}

/** Picked files, each converted to the stored form. */
function useFiles({ current, add, change, remove }: TileActions) {
  const [refused, setRefused] = useState<RefusedFile[]>([]);
  const fileCount = useRef(0);

  async function addFile(file: File): Promise<void> {
    const key = `file-${fileCount.current++}`;
    const { name } = file;
    if (current().some((tile) => tile.fileId === fileIdentity(file)))
      return setRefused((all) => [...all, { name, reason: "Already there" }]);
    add({ key, entry: null, name, state: "processing", progress: 0, fileId: fileIdentity(file) });
    try {
      change(key, { ...(await processImage(file)), state: "ready" });
    } catch (error) {
      remove(key);
      setRefused((all) => [...all, { name, reason: error instanceof Error ? error.message : "" }]);
    }
  }

  function addFiles(files: File[]): Promise<unknown> {
    setRefused([]);
    return Promise.all(files.map(addFile));
  }

  /** `problems` are the messages about refused files of the last pick. */
  return { problems: refusalMessages(refused), clearProblems: () => setRefused([]), addFiles };
}

function urlProblem(url: string, tiles: Tile[]): string | null {
  if (!/^https:\/\/\S+$/i.test(url) || !URL.canParse(url))
    return "Must be an address that begins with https://";
  return tiles.some(({ entry }) => entry === url) ? "This image is already in the list" : null;
}

function fileIdentity({ name, size, lastModified }: File): string {
  return `${name}/${size}/${lastModified}`;
}

function moveTile(tiles: Tile[], key: string, to: number): Tile[] {
  const tile = tiles.find((each) => each.key === key);
  if (!tile || to < 0 || to >= tiles.length) return tiles;
  const rest = tiles.filter((other) => other !== tile);
  return [...rest.slice(0, to), tile, ...rest.slice(to)];
}

export type DragEvents = ReturnType<ReturnType<typeof useDragging>>;

/**
 * Reorders images by dragging; touch and keyboard use the arrow buttons.
 *
 * @param move moves a tile to a position, from 0
 * @returns builds the handlers of a tile
 */
export function useDragging(move: (key: string, to: number) => void) {
  const dragged = useRef<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = () => {
    dragged.current = null;
    setOver(null);
  };
  return ({ key }: Tile, position: number) => ({
    draggable: true,
    "data-over": over === key || undefined,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dragged.current = key;
      dataTransfer.effectAllowed = "move";
    },
    onDragOver: (event: DragEvent) => {
      if (dragged.current === null) return;
      event.preventDefault();
      setOver(key === dragged.current ? null : key);
    },
    onDrop: (event: DragEvent) => {
      if (dragged.current === null) return;
      event.preventDefault();
      move(dragged.current, position);
      end();
    },
    onDragEnd: end,
  });
}
