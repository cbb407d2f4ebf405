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
