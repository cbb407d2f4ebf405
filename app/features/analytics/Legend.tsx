/** Which line is which: not by colour alone. */
export function Legend() {
  return (
    <span className="chart-legend">
      <span>
        <svg viewBox="0 0 24 12" aria-hidden="true">
          <path d="M1 6h22" stroke="var(--sales)" strokeWidth="2.25" strokeLinecap="round" />
          <circle cx="12" cy="6" r="3.5" fill="var(--sales)" />
        </svg>
        Sales
      </span>
      <span>
        <svg viewBox="0 0 24 12" aria-hidden="true">
          <path d="M1 6h22" stroke="var(--spend)" strokeWidth="2.25" strokeDasharray="5 3" />
          <path d="M8.5 2.5h7v7h-7z" fill="var(--spend)" />
        </svg>
        Expenses
      </span>
    </span>
  );
}
