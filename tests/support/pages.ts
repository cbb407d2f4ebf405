import { readdirSync } from "node:fs";
import { join } from "node:path";
import { nameOf, PARAMETER, pathOf } from "./route-paths";

const FILES = readdirSync(join(import.meta.dirname, "../../app/routes"));

/** Pages of the catalogue. */
export const CATALOGUE_PAGES = [
  "/",
  "/shop",
  "/shop?category=ENGRAVING&min=18&max=60&stock=in",
  "/shop?search=zzzzqq",
  "/products/walnut-serving-board",
  "/products/nope",
];
/** The other pages that anyone can open: those of the routes that have no parameter, and errors. */
export const OTHER_PAGES = [
  ...FILES.filter((file) => /^_shop\..+\.tsx$/.test(file))
    .map((file) => pathOf(nameOf(file)))
    .filter((path) => !path.endsWith(`/${PARAMETER}`) && !CATALOGUE_PAGES.includes(path)),
  "/unauthorized",
  "/serverError",
  "/nowhere",
];
/** Pages of the back office, with dialogs of each kind; the chat, the customer and the document are in the demo. */
export const STAFF_PAGES = [
  "/admin",
  "/admin/graphs",
  "/admin/inventory-management",
  "/admin/invoices-management",
  "/admin/expenses-management?dialog=new",
  "/admin/users-management?dialog=new",
  "/admin/products-management",
  "/admin/products-management?dialog=new",
  "/admin/products-management?dialog=bulk-upload",
  "/admin/chat",
  "/admin/chat?chat=demo-chat-01",
  "/admin/chat?chat=demo-chat-01#who",
  "/admin/chat?tab=responses",
  "/admin/chat?tab=settings",
  "/admin/customers",
  "/admin/customers?open=unlinked",
  "/admin/today",
  "/admin/holds",
  "/admin/quotes",
  "/admin/search?q=lamp",
  "/admin/customers/customer-ines",
  "/admin/documents",
  "/admin/documents/demo-sale-24",
  "/admin/sales/new?chat=demo-chat-01",
  "/admin/sales/hold?chat=demo-chat-01",
  "/admin/sales/quote?chat=demo-chat-01",
  "/admin/sales/new?correct=demo-sale-23",
  "/admin/sales/drawer",
  "/admin/sales/deposit?quote=demo-quote-01",
  "/admin/sales/withdraw?quote=demo-quote-02",
  "/admin/bookkeeping",
  "/admin/settings",
  "/admin/settings?group=hours",
  "/admin/settings?group=home",
  "/admin/settings?group=sales",
  "/admin/integrations",
  "/admin/health",
  "/admin/audit",
];
