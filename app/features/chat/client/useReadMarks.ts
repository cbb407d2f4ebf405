import { useCallback, useState } from "react";
import type { ReadMark, ReadMarks } from "../protocol";
import { laterMarks, NOTHING_READ } from "../read-marks";

/** Holds the read marks of a conversation; `advance` applies newer ones. */
export function useReadMarks() {
  const [marks, setMarks] = useState<ReadMarks>(NOTHING_READ);
  const advance = useCallback(
    (next: { [side in keyof ReadMarks]?: ReadMark }) => setMarks((current) => laterMarks(current, next)),
    [],
  );
  return [marks, advance] as const;
}
