import { type DragEvent, useRef, useState } from "react";
import type { Tile } from "./useImages";

/** What makes a tile one that can be dragged to another's place. */
export type DragEvents = ReturnType<ReturnType<typeof useDragging>>;

/**
 * Images put in order by the mouse; fingers and keys have the arrows.
 *
 * @param move puts the tile of a key at a place, from 0
 * @returns for a tile at its place, what its element has
 */
export function useDragging(move: (key: string, to: number) => void) {
  const dragged = useRef<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = () => {
    dragged.current = null;
    setOver(null);
  };
  return ({ key }: Tile, place: number) => ({
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
      move(dragged.current, place);
      end();
    },
    onDragEnd: end,
  });
}
