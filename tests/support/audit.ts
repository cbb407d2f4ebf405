import { env } from "cloudflare:workers";
import { rowText } from "~/features/audit/labels";
import type { AuditRow } from "~/features/audit/queries.server";
import { fieldsOf } from "~/features/audit-log/records";

const SHOP = { businesses: { EMPORIA: "Emporia", LASER: "Laser Craft" }, timezone: "America/Toronto" };

/** Reads the last entry of an object as the audit log's file words it. */
export async function lastLogged(id: string): Promise<string> {
  const row = await env.DB.prepare(
    "SELECT action, object, object_id AS objectId, changes FROM audit_log WHERE object_id = ? ORDER BY seq DESC",
  )
    .bind(id)
    .first<Pick<AuditRow, "action" | "object" | "objectId" | "changes">>();
  return row ? rowText(row as AuditRow, fieldsOf(row), SHOP) : "";
}
