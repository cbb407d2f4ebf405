/** Head of a column: its title, or title and class. */
type Head = string | [title: string, className: string];

/** Head row of a table of lines; a missing column is left out. */
export function LineHeads({ heads, acts }: { heads: (Head | false)[]; acts?: string }) {
  return (
    <thead>
      <tr>
        {heads.map((head) => {
          if (!head) return null;
          const [title, className] = typeof head === "string" ? [head] : head;
          return (
            <th key={title} scope="col" className={className}>
              {title}
            </th>
          );
        })}
        {acts && (
          <th scope="col">
            <span className="visually-hidden">{acts}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
