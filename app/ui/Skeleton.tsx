/** Placeholder of a product card. */
function SkeletonCard() {
  return (
    <div className="product-card" aria-hidden="true">
      <div className="picture skeleton" />
      <div className="skeleton skeleton-name" />
      <div className="skeleton skeleton-meta" />
    </div>
  );
}

/**
 * Placeholders of loading product cards.
 *
 * @param count number of cards
 */
export function SkeletonCards({ count }: { count: number }) {
  return Array.from({ length: count }, (_, i) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the cards are identical
    return <SkeletonCard key={i} />;
  });
}
