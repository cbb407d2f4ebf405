import { type DragEvent, type RefObject, useEffect, useRef } from "react";

/**
 * Makes an element one that files may be dropped on.
 *
 * @param onFiles is given what was dropped
 * @returns what the element has
 */
export function useConnectionLost(onFiles: (files: File[]) => void) {
  const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");
  return {
    onDragOver: (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      onFiles([...event.dataTransfer.files]);
    },
  };
}

/**
 * Files that were chosen before the page's script ran, of which no change will tell.
 *
 * @param take is given them, once
 * @returns for the input
 */
export function useEarlyFiles(take: (files: File[]) => unknown): RefObject<HTMLInputElement> {
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later ones tell of themselves
  useEffect(() => {
    const files = [...(input.current?.files ?? [])];
    if (files.length > 0) take(files);
  }, []);
  return input;
}
