import { useEffect, useState } from "react";

/**
 * What has been on its way for so long that something should stand in for it. What comes sooner needs no skeleton;
 * one that flashed by would only unsettle.
 *
 * @param coming what is on its way now, null for nothing
 * @param patience milliseconds
 */
export function useIsSlow<Thing extends string>(coming: Thing | null, patience: number): Thing | null {
  const [slow, setSlow] = useState<Thing | null>(null);
  useEffect(() => {
    if (!coming) return;
    const timer = setTimeout(() => setSlow(coming), patience);
    return () => {
      clearTimeout(timer);
      setSlow(null);
    };
  }, [coming, patience]);
  return coming && slow === coming ? slow : null;
}
