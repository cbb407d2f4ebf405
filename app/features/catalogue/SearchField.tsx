import { type FormEvent, lazy, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { Icon } from "~/ui/Icon";

/** Suggestions, loaded when a search field is first focused. Without them the field still searches. */
const Suggestions = lazy(() => import("./Suggestions").catch(() => ({ default: () => null })));

interface SearchFieldProps {
  label: string;
  id?: string;
  field?: RefObject<HTMLInputElement>;
  defaultValue?: string;
  onChange?: (event: FormEvent<HTMLInputElement>) => void;
  /** Called as a suggestion is chosen, before its page is opened. */
  onChoose?: () => void;
}

/** Search field of the header and of the shop's list, in a form of its own. */
export function SearchField({ label, id, field, defaultValue, onChange, onChoose }: SearchFieldProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  /** Text of the page when the field was focused. */
  const [first, setFirst] = useState<string>();
  useEffect(() => {
    if (document.activeElement === input.current) setFirst(input.current?.defaultValue);
  }, [input]);
  return (
    <div className="search-field">
      <input
        ref={input}
        className="input"
        id={id}
        type="search"
        name="search"
        placeholder={label}
        aria-label={label}
        defaultValue={defaultValue}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        onChange={onChange}
        onFocus={() => setFirst(input.current?.defaultValue)}
      />
      <button type="submit" className="icon-btn" aria-label="Search">
        <Icon name="search" />
      </button>
      {first !== undefined && (
        <Suspense>
          <Suggestions input={input} first={first} onChoose={onChoose} />
        </Suspense>
      )}
    </div>
  );
}
