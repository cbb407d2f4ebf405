import { type MutableRefObject, useRef } from "react";

/** Holds the value of the latest rendering, for effects and timers that outlive theirs. */
export function useLatest<Value>(value: Value): MutableRefObject<Value> {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
