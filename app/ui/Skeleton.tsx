/** Stands where a card will be, of its size. */
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
 * Cards that are on their way.
 *
 * @param count how many places to keep: 12 in the shop, 8 on the home page (spec 9)
 */
export function SkeletonCards({ count }: { count: number }) {
  return Array.from({ length: count }, (_, place) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: bones have no names
    return <SkeletonCard key={place} />;
  });
}
