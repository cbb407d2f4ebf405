import { useNavigation } from "@remix-run/react";
import { useState } from "react";

/**
 * A row as it was when its dialog was opened, though the page may have read it again since: what goes along with the
 * form must be what the form shows, or another's change would be written over unseen. Once the form has been refused
 * it is the row that the refusal speaks of.
 *
 * @param row as read last
 * @param refused what the page's action answered, if it refused
 * @returns the row, and a key for the form: a refused one begins anew with what it is to hold
 */
export function useOpenedValues<Row>(row: Row, refused: unknown): { opened: Row; key: number } {
  const isIdle = useNavigation().state === "idle";
  const [seen, setSeen] = useState({ row, refused, key: 0 });
  if (!isIdle || seen.refused === refused) return { opened: seen.row, key: seen.key };
  const next = { row, refused, key: seen.key + 1 };
  setSeen(next);
  return { opened: next.row, key: next.key };
}
