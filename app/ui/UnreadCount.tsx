/** Number of unread messages, nothing for 0. */
export function UnreadCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="unread-count">
      <span className="visually-hidden">unread: </span>
      {count}
    </span>
  );
}
