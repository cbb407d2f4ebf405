import type { DragEvent } from "react";

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
