import { useEffect, useState } from "react";

/**
 * Returns a pending target only after a delay, so that skeletons do not flash on fast responses.
 *
 * @param pending current target, or null
 */
export function useDelayedPending<Target extends string>(
  pending: Target | null,
  delay: number,
): Target | null {
  const [slow, setSlow] = useState<Target | null>(null);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setSlow(pending), delay);
    return () => {
      clearTimeout(timer);
      setSlow(null);
    };
  }, [pending, delay]);
  return pending && slow === pending ? slow : null;
}
