/** A page's `handle` export: rules that the Worker, the sitemap and robots.txt read from the route's own file. */
export interface PageHandle {
  /** The page is the same for everyone: it is kept at the edge, and search engines may visit it. */
  publicPage: {
    /** Search parameters that change the page; others are ignored by the edge cache. */
    parameters: string[];
  };
}
