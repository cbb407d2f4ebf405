const TITLES = ["Monthly Sales", "Sales by Category", "Sales vs Expenses", "Payment Methods"];

/** Reserves the space of the four charts while they load. */
export function AnalyticsSkeleton() {
  return (
    <>
      <div className="year-switch soon" />
      <section className="charts" aria-label="Charts">
        {TITLES.map((title) => (
          <article key={title} className="panel chart">
            <header>
              <h2>{title}</h2>
            </header>
            <div className="chart-plot">
              <span className="wait spinner" aria-hidden="true" />
            </div>
            <div className="fold-soon" />
          </article>
        ))}
      </section>
    </>
  );
}
