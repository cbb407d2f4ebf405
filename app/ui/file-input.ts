import { type DragEvent, type RefObject, useEffect, useRef } from "react";

/** Makes an element a drop target for files; anything else that is dragged keeps its default. @returns props of the element */
export function useFileDrop(onFiles: (files: File[]) => void) {
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
 * Reports files that were chosen before hydration, for which React fires no change event.
 *
 * @param onFiles called once after hydration, if files were chosen
 * @returns ref of the input
 */
export function usePreselectedFiles(onFiles: (files: File[]) => unknown): RefObject<HTMLInputElement> {
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later choices fire change events
  useEffect(() => {
    const files = [...(input.current?.files ?? [])];
    if (files.length > 0) onFiles(files);
  }, []);
  return input;
}
