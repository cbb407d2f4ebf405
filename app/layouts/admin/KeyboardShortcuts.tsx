import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { StaffRole } from "~/domain/staff-role";
import { Icon } from "~/ui/Icon";
import { popover, popoverClose } from "~/ui/popover";
import { areShortcutsEnabled, setShortcutsEnabled } from "~/ui/shortcuts";
import { type SectionPath, sectionAt, sectionsOf } from "./sections";

/** Id of the dialog, which the header's button opens. */
export const SHORTCUTS_DIALOG = "keys";

const CHAT_KEYS: [string, string[]][] = [
  ["Next chat", ["J"]],
  ["Previous chat", ["K"]],
  ["Write a reply", ["W"]],
  ["Record sale", ["R"]],
  ["Set aside", ["H"]],
  ["Quick Responses", ["/"]],
];

const LIST_KEYS: [string, string[]][] = [
  ["Search", ["/"]],
  ["Add", ["N"]],
  ["Move in the table", ["↑", "↓"]],
  ["Update the row", ["E"]],
  ["Delete the row", ["Del"]],
  ["Save the dialog", ["Ctrl", "Enter"]],
];
const LEDGER_KEYS: typeof LIST_KEYS = [...LIST_KEYS, ["Undo the deletion", ["U"]]];
const INVENTORY_KEYS: [string, string[]][] = [
  ["Search", ["/"]],
  ["Save and go to the next row", ["Enter"]],
  ["Edit the stock", ["S"]],
  ["Move in the table", ["↑", "↓"]],
  ["Restore the value", ["Esc"]],
];
const CUSTOMER_KEYS: [string, string[]][] = [
  ["Search", ["/"]],
  ["Add", ["N"]],
  ["Move in the table", ["↑", "↓"]],
  ["Open the row", ["E"]],
];
const DOCUMENT_KEYS: [string, string[]][] = [
  ["Search", ["/"]],
  ["New sale", ["N"]],
  ["Move in the table", ["↑", "↓"]],
  ["Open the row", ["E"]],
  ["Select the row", ["X"]],
  ["Select on", ["Shift", "↓"]],
  ["Print", ["P"]],
  ["Credit", ["C"]],
];
const OFFER_KEYS = CUSTOMER_KEYS.filter(([action]) => action !== "Add");
const OFFERS = /^\/admin\/(?:holds|quotes)(?:\/|$)/;
const DOCUMENTS = /^\/admin\/documents(?:\/|$)/;
const SCOPE_KEYS: [string, string[]][] = [
  ["Business", ["B"]],
  ["Period", ["T"]],
];
const SECTION_KEYS: Partial<Record<SectionPath, [string, string[]][]>> = {
  "/admin": SCOPE_KEYS,
  "/admin/graphs": SCOPE_KEYS,
  "/admin/bookkeeping": SCOPE_KEYS,
  "/admin/chat": CHAT_KEYS,
  "/admin/inventory-management": INVENTORY_KEYS,
  "/admin/invoices-management": LEDGER_KEYS,
  "/admin/expenses-management": LEDGER_KEYS,
  "/admin/customers": CUSTOMER_KEYS,
  "/admin/users-management": LIST_KEYS,
  "/admin/products-management": LIST_KEYS,
};

/** Lists the keys of a page. */
function keysOf(pathname: string): [string, string[]][] {
  if (DOCUMENTS.test(pathname)) return DOCUMENT_KEYS;
  if (OFFERS.test(pathname)) return OFFER_KEYS;
  const section = sectionAt(pathname)?.path;
  return (section && SECTION_KEYS[section]) ?? [];
}

/** Dialog with the shortcuts, and a switch that disables them for users of speech input. */
export function KeyboardShortcuts({ role }: { role: StaffRole }) {
  const { pathname } = useLocation();
  const sectionKeys = keysOf(pathname);
  return (
    <div {...popover(SHORTCUTS_DIALOG)} className="shortcut-list" role="dialog" aria-labelledby="keys-title">
      <div className="button-row">
        <h2 id="keys-title" className="grow">
          Keyboard
        </h2>
        <button {...popoverClose(SHORTCUTS_DIALOG)} className="tool-button" aria-label="Close">
          <Icon name="x" />
        </button>
      </div>
      <dl>
        <KeyRow action="Find anything" keys={["Ctrl", "K"]} />
        {sectionKeys.map(([action, keys]) => (
          <KeyRow key={action} action={action} keys={keys} />
        ))}
        {sectionsOf(role).map(({ path, title, letter }) => (
          <KeyRow key={path} action={title} keys={["G", letter.toUpperCase()]} />
        ))}
        <KeyRow action="This list" keys={["?"]} />
      </dl>
      <KeysSwitch />
    </div>
  );
}

function KeyRow({ action, keys }: { action: string; keys: string[] }) {
  return (
    <div>
      <dt>{action}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}

function KeysSwitch() {
  const [isOn, setOn] = useState(true);
  useEffect(() => setOn(areShortcutsEnabled()), []);
  const toggle = (on: boolean) => {
    setShortcutsEnabled(on);
    setOn(on);
  };
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => toggle(target.checked)} />
      <span>Use these keys in this browser</span>
    </label>
  );
}
