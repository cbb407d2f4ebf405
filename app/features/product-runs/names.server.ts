import type { Db } from "~/db/client.server";
import { findFormerNames } from "~/features/audit/queries.server";
import type { ChangeRow } from "./queries/undo.server";
import { valuesOf } from "./staying.server";

/** Adds the names of products that are gone: as the change has them, else their last ones. */
export async function withNames(db: Db, changes: ChangeRow[]): Promise<ChangeRow[]> {
  const named = changes.map((change) => ({ ...change, name: change.name ?? ownName(change) }));
  const gone = named.flatMap(({ name, productId }) =>
    name === null ? [{ object: "product", objectId: productId }] : [],
  );
  if (gone.length === 0) return named;
  const former = await findFormerNames(db, gone);
  return named.map((change) => ({ ...change, name: change.name ?? former.get(change.productId) ?? null }));
}

/** Returns the name that a change has of its product; null for one that has kept its name. */
function ownName({ before, after }: ChangeRow): string | null {
  const name = valuesOf(before)?.name ?? valuesOf(after)?.name;
  return typeof name === "string" ? name : null;
}
