import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";
import { fillPlaceholders } from "~/features/chat/responses";
import { Icon } from "~/ui/Icon";
import { Form } from "~/ui/navigation";
import type { ConsoleData } from "./page.server";

/** An active predefined response. */
export interface QuickResponse {
  id: string;
  trigger: string;
  response: string;
}

interface QuickResponsesProps {
  chatId: string;
  responses: QuickResponse[];
  onChoose: (response: string) => void;
  onClose: () => void;
}

/** Index of the next item by key. */
const NEXT_INDEX: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const menuItems = (menu: HTMLFormElement) => [...menu.querySelectorAll("button")];

/** Focuses an item and makes it the only one in the tab order. */
function focusItem(items: HTMLButtonElement[], index: number): void {
  for (const [i, item] of items.entries()) item.tabIndex = i === index ? 0 : -1;
  items[index]?.focus();
}

/** Menu of responses with circular arrow keys; without JavaScript each is a submit button of a form. */
export function QuickResponses({ chatId, responses, onChoose, onClose }: QuickResponsesProps) {
  const menu = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (menu.current) focusItem(menuItems(menu.current), 0);
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    const items = menuItems(event.currentTarget);
    const index = items.findIndex((item) => item.matches(":focus"));
    const next = NEXT_INDEX[event.key]?.(index, items.length);
    if (next !== undefined) focusItem(items, next);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  if (responses.length === 0)
    return (
      <p className="quick-responses hint-box" id="quick">
        No active responses yet.
      </p>
    );
  return (
    <Form
      method="get"
      action="/admin/chat"
      className="quick-responses"
      id="quick"
      ref={menu}
      onKeyDown={onKeyDown}
    >
      <input type="hidden" name="chat" value={chatId} />
      <div role="menu" aria-label="Quick Responses">
        {responses.map((one) => (
          <Item key={one.id} {...one} onChoose={onChoose} />
        ))}
      </div>
    </Form>
  );
}

function Item({ id, trigger, response, onChoose }: QuickResponse & Pick<QuickResponsesProps, "onChoose">) {
  const choose = (event: MouseEvent) => {
    event.preventDefault();
    onChoose(response);
  };
  return (
    <button type="submit" role="menuitem" name="fill" value={id} onClick={choose}>
      <b className="truncate">{trigger}</b>
      <span className="truncate">{response}</span>
    </button>
  );
}

/** Button that opens and closes the quick responses. */
export function QuickToggle({
  chatId,
  isQuick,
  onQuick,
}: {
  chatId: string;
  isQuick: boolean;
  onQuick: () => void;
}) {
  return (
    <Form
      method="get"
      action="/admin/chat"
      onSubmit={(event) => {
        event.preventDefault();
        onQuick();
      }}
    >
      <input type="hidden" name="chat" value={chatId} />
      <button
        type="submit"
        className="btn quiet"
        name={isQuick ? undefined : "quick"}
        value="1"
        aria-haspopup="menu"
        aria-expanded={isQuick}
        aria-controls="quick"
        data-quick
      >
        <Icon name="zap" className="i s" /> Quick Responses
      </button>
    </Form>
  );
}

/** Returns the active responses with the values of the open conversation in place of placeholders. */
export function quickResponses(
  {
    responses,
    cart,
    products,
    pickup,
    place,
  }: Pick<ConsoleData, "responses" | "cart" | "products" | "pickup" | "place">,
  name: string,
) {
  const product = cart?.lines[0]?.name ?? products.at(-1)?.name ?? "";
  const words = cart?.lines[0]?.engraving ?? "";
  return (responses ?? [])
    .filter(({ isActive }) => isActive)
    .map((one) => ({
      ...one,
      response: fillPlaceholders(one.response, { name, product, pickup, words, ...place }),
    }));
}
