import { type RefObject, useEffect, useRef } from "react";

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
