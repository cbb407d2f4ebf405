/** Number of unread messages. */
export interface Unread {
  count: number;
  /** There are more than were counted. */
  isMore?: boolean;
}

/** Writes a number of unread messages: `57`, or `57+` when there are more. */
export const unreadLabel = ({ count, isMore }: Unread) => `${count}${isMore ? "+" : ""}`;

/** Number of unread messages, nothing for 0. */
export function UnreadCount({ count, isMore }: Unread) {
  if (count === 0) return null;
  return (
    <span className="unread-count">
      <span className="visually-hidden">unread: </span>
      {unreadLabel({ count, isMore })}
    </span>
  );
}
