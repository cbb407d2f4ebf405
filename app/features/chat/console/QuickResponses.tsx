import { Form } from "@remix-run/react";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";

/** A predefined response that is active. */
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

/** What arrow keys lead to, from one of so many. */
const KEYS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const itemsOf = (menu: HTMLFormElement) => [...menu.querySelectorAll("button")];

/** The Tab key finds the one that has the focus, and leaves the menu from there. */
function reach(items: HTMLButtonElement[], at: number): void {
  for (const [i, item] of items.entries()) item.tabIndex = i === at ? 0 : -1;
  items[at]?.focus();
}

/**
 * Responses to choose from: a menu by keyboard, whose arrows go round and which Escape closes. Without a script each is
 * a button of a form, within the Tab key's reach.
 */
export function QuickResponses({ chatId, responses, onChoose, onClose }: QuickResponsesProps) {
  const menu = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (menu.current) reach(itemsOf(menu.current), 0);
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    const items = itemsOf(event.currentTarget);
    const at = items.findIndex((item) => item.matches(":focus"));
    const next = KEYS[event.key]?.(at, items.length);
    if (next !== undefined) reach(items, next);
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
