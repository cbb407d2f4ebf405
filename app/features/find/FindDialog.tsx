import { useLocation, useSubmit } from "@remix-run/react";
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { localTo } from "~/domain/local-to";
import { isComposing } from "~/ui/composition";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { useNavigate } from "~/ui/navigation";
import { HitContent, NothingFound } from "./hit-parts";
import { FIND_PATH, type Found, GROUP_TITLES, type Hit, type Kind, MAX_FIND } from "./hits";
import { openedLately, rememberOpened } from "./lately";
import { useFound } from "./useFound";

export interface FindDialogProps {
  /** Returns the text that was typed until the dialog has the focus, which takes the keys from then on. */
  takeTyped: () => string;
  onClose: () => void;
}

/** Option of the list: a hit, or the way to all of a group. */
type Option = Hit & { isMore?: boolean };

const LIST_ID = "find-hits";
const optionId = (at: number) => `find-hit-${at}`;

/** Dialog of the search: a field, which gets the focus as the first control, and what it finds, by keyboard alone. */
export function FindDialog({ takeTyped, onClose }: FindDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const q = text.trim();
  const found = useFound(q);
  const isCurrent = found?.q === q;
  const groups = groupsOf(found);
  const options = groups.flatMap((group) => group.options);
  const choose = useChoice(q, () => dialog.current?.close());
  const { active, onKeyDown } = useKeys(options, isCurrent, q, choose);
  // Before the browser sends the next key, which would replace what was typed.
  useLayoutEffect(() => {
    setText(takeTyped());
    dialog.current?.showModal();
  }, [takeTyped]);
  return (
    <dialog ref={dialog} className="dialog find-dialog" aria-label="Find anything" onClose={onClose}>
      <Field
        {...{ text, setText, onKeyDown }}
        chosen={options.length > 0 ? optionId(active) : undefined}
        close={() => dialog.current?.close()}
      />
      <Options {...{ groups, active, q: found?.q ?? "", choose }} />
      {found && options.length === 0 && !found.failure && <NothingFound q={found.q} />}
      <Foot status={statusOf(found, options)} />
    </dialog>
  );
}

interface FieldProps {
  text: string;
  setText: (text: string) => void;
  /** Id of the chosen option; undefined without any. */
  chosen: string | undefined;
  onKeyDown: (event: KeyboardEvent) => void;
  close: () => void;
}

function Field({ text, setText, chosen, onKeyDown, close }: FieldProps) {
  return (
    <div className="find-field">
      <Icon name="search" />
      <input
        role="combobox"
        aria-expanded={chosen !== undefined}
        aria-controls={LIST_ID}
        aria-activedescendant={chosen}
        aria-autocomplete="list"
        aria-label="Find anything"
        placeholder="Find anything"
        maxLength={MAX_FIND}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" className="tool-button" aria-label="Close" onClick={close}>
        <Icon name="x" />
      </button>
    </div>
  );
}

function statusOf(found: Found | undefined, options: Option[]): string {
  if (!found) return "Loading...";
  if (found.failure) return found.failure;
  if (found.q === "") return "Type to search";
  const hits = options.filter(({ isMore }) => !isMore).length;
  return hits === 0 ? "Nothing found" : `${counted(hits, "hit")}`;
}

interface GroupOptions {
  kind: Kind | "lately";
  title: string;
  options: Option[];
  /** Place of the first option among all. */
  from: number;
}

/** Adds to groups the way to all of them; without a text, what was opened lately. */
function groupsOf(found: Found | undefined): GroupOptions[] {
  const groups: Omit<GroupOptions, "from">[] = (found?.groups ?? []).map(({ kind, hits, more }) => {
    const title = GROUP_TITLES[kind];
    const all = `All ${title.toLowerCase()} with “${found?.q}”`;
    const options: Option[] = more
      ? [...hits, { id: `more-${kind}`, title: all, text: "", to: more, icon: "arrow-right", isMore: true }]
      : hits;
    return { kind, title, options };
  });
  const lately = found?.q === "" ? openedLately() : [];
  if (lately.length > 0) groups.push({ kind: "lately", title: "Opened lately", options: lately });
  let from = 0;
  return groups.map((group) => {
    from += group.options.length;
    return { ...group, from: from - group.options.length };
  });
}

type Choose = (option: Option, isNewTab: boolean) => void;

/** Opens an option, or does its act, and closes the dialog. */
function useChoice(q: string, close: () => void): Choose {
  const navigate = useNavigate();
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  return (option, isNewTab) => {
    const { to, form, isMore } = option;
    // Acts are offered anyway.
    if (q !== "" && !form && !isMore) rememberOpened(option);
    if (isNewTab && !form) return void window.open(localTo(to), "_blank", "noreferrer");
    close();
    if (!form) return navigate(to);
    const fields = { intent: form.intent, isOnline: String(form.isOnline), redirectTo: pathname + search };
    submit(fields, { method: "post", action: FIND_PATH });
  };
}

/** Moves among the options and chooses one; Enter before the answer is there waits for it. */
function useKeys(options: Option[], isCurrent: boolean, q: string, choose: Choose) {
  const [chosen, setChosen] = useState({ q, at: 0 });
  const [awaited, setAwaited] = useState<{ q: string; isNewTab: boolean } | null>(null);
  const active = chosen.q === q ? Math.min(chosen.at, Math.max(0, options.length - 1)) : 0;
  useEffect(() => {
    if (!awaited || !isCurrent) return;
    setAwaited(null);
    const [first] = options;
    if (first && awaited.q === q) choose(first, awaited.isNewTab);
  }, [awaited, isCurrent, options, q, choose]);
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const { key, ctrlKey, metaKey } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      const step = key === "ArrowDown" ? 1 : options.length - 1;
      setChosen({ q, at: (active + step) % Math.max(1, options.length) });
    }
    if (key !== "Enter") return;
    event.preventDefault();
    const isNewTab = ctrlKey || metaKey;
    const option = options[active];
    if (!isCurrent) setAwaited({ q, isNewTab });
    else if (option) choose(option, isNewTab);
  };
  return { active, onKeyDown };
}

interface OptionsProps {
  groups: GroupOptions[];
  active: number;
  q: string;
  choose: Choose;
}

function Options({ groups, active, q, choose }: OptionsProps) {
  return (
    <div role="listbox" id={LIST_ID} className="find-list" aria-label="Found" hidden={groups.length === 0}>
      {groups.map(({ kind, title, options, from }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, for which HTML has no element here
        <div key={kind} role="group" aria-labelledby={`find-${kind}`}>
          <div className="find-head" id={`find-${kind}`} role="presentation">
            {title}
          </div>
          {options.map((option, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys
            <div
              key={option.id}
              role="option"
              id={optionId(from + i)}
              className="find-hit"
              aria-selected={from + i === active}
              onClick={(event: MouseEvent) => choose(option, event.ctrlKey || event.metaKey)}
            >
              <HitContent hit={option} q={q} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Foot({ status }: { status: string }) {
  return (
    <footer className="find-foot">
      <span role="status">{status}</span>
      <span className="find-keys" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> moves
        </span>
        <span>
          <kbd>Enter</kbd> opens
        </span>
        <span>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> in a new tab
        </span>
        <span>
          <kbd>Esc</kbd> closes
        </span>
      </span>
    </footer>
  );
}
