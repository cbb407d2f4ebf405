import { env } from "cloudflare:workers";
import { vi } from "vitest";

/** Does something just before the batch that has a statement. */
export function justBefore(statement: RegExp, act: () => Promise<unknown>) {
  const open = env.DB.withSession.bind(env.DB);
  let isDone = false;
  vi.spyOn(env.DB, "withSession").mockImplementation((start) => {
    const session = open(start);
    let isNext = false;
    return {
      getBookmark: () => session.getBookmark(),
      prepare(query: string) {
        isNext ||= statement.test(query);
        return session.prepare(query);
      },
      async batch<Row>(statements: D1PreparedStatement[]) {
        if (isNext && !isDone) {
          isDone = true;
          await act();
        }
        return session.batch<Row>(statements);
      },
    } as D1DatabaseSession;
  });
}
