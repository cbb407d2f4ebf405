import { useEffect, useState } from "react";

/** Placeholders of loading product cards. */
export function SkeletonCards({ count }: { count: number }) {
  return Array.from({ length: count }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the cards are identical
    <div key={i} className="product-card" aria-hidden="true">
      <div className="picture skeleton" />
      <div className="skeleton skeleton-name" />
      <div className="skeleton skeleton-meta" />
    </div>
  ));
}

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
