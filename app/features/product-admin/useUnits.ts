import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useLatest } from "~/ui/latest";
import { choicesOf } from "./free-choices";
import {
  applyAct,
  type DraftUnit,
  type FreeChoices,
  UNIT_FIELDS,
  type UnitField,
  type UnitsAct,
  type UnitsDraft,
  withTypedValues,
} from "./units-draft";

export type Units = ReturnType<typeof useUnits>;
export type UnitErrors = ReturnType<typeof useUnitErrors>;

interface UnitsOptions {
  initial: UnitsDraft;
  /** Returns the choices of a product that is counted as a whole. */
  freeChoices(): FreeChoices;
  /** Receives the choices that are free again. */
  onUncounted(choices: FreeChoices): void;
}

type OptionChanges = { name?: string; add?: string; value?: [at: number, text: string] };

/** Options and units of the product form. */
export function useUnits({ initial, freeChoices, onUncounted }: UnitsOptions) {
  const [draft, setDraft] = useState(initial);
  const current = useRef(draft);
  const update = useCallback((next: (draft: UnitsDraft) => UnitsDraft) => {
    current.current = next(current.current);
    setDraft(current.current);
  }, []);
  const latest = useLatest({ freeChoices, onUncounted });
  const act = useCallback(
    (name: UnitsAct) => {
      if (name === "uncount") latest.current.onUncounted(choicesOf(current.current));
      update((before) => applyAct(before, name, latest.current.freeChoices()));
    },
    [update, latest],
  );
  const changeUnit = useCallback(
    (index: number, field: UnitField, text: string) =>
      update((before) => withUnitField(before, index, field, text)),
    [update],
  );
  const changeOption = useCallback(
    (index: number, changes: OptionChanges) => update((before) => withOption(before, index, changes)),
    [update],
  );
  /** Returns the current draft with the values that are typed and not added yet. */
  const typed = () => {
    update(withTypedValues);
    return current.current;
  };
  return { draft, typed, act, changeUnit, changeOption };
}

function withUnitField(draft: UnitsDraft, index: number, field: UnitField, text: string): UnitsDraft {
  const unit = draft.units[index];
  return unit
    ? { ...draft, removed: null, units: draft.units.with(index, { ...unit, [field]: text }) }
    : draft;
}

function withOption(draft: UnitsDraft, index: number, { value, ...texts }: OptionChanges): UnitsDraft {
  const option = draft.options[index];
  if (!option) return draft;
  const values = value ? option.values.with(...value) : option.values;
  return { ...draft, removed: null, options: draft.options.with(index, { ...option, ...texts, values }) };
}

/** Errors of the options and units until they change. @param problems messages by field: `units.3.price`, `options.0.values` */
export function useUnitErrors(draft: UnitsDraft, problems: Record<string, string>) {
  const checked = useCheckedDraft(draft, problems);
  return {
    errorsOf: (unit: DraftUnit) => {
      const index = checked.draft.units.indexOf(unit);
      return index === -1 ? NO_ERRORS : errorsUnder(problems, `units.${index}.`);
    },
    /** Error of the options or of all units. */
    error: checked.draft === draft ? wholeError(problems) : null,
  };
}

const NO_ERRORS: Record<string, string> = {};

/** Keeps the draft that the errors are about. */
function useCheckedDraft(draft: UnitsDraft, problems: Record<string, string>) {
  const [checked, setChecked] = useState({ draft, problems });
  if (checked.problems === problems) return checked;
  const next = { draft, problems };
  setChecked(next);
  return next;
}

function errorsUnder(problems: Record<string, string>, prefix: string): Record<string, string> {
  const own = Object.entries(problems).filter(([path]) => path.startsWith(prefix));
  if (own.length === 0) return NO_ERRORS;
  return Object.fromEntries(own.map(([path, message]) => [path.slice(prefix.length).split(".")[0], message]));
}

function wholeError(problems: Record<string, string>): string | null {
  const paths = Object.keys(problems);
  const path = paths.find((each) => /^(?:units$|options(?:$|\.))/.test(each));
  return path === undefined ? null : (problems[path] ?? null);
}

const FIELD = /^(units|options)\[(\d+)\]\.(\w+)$/;

/** Takes what was typed before React was there. */
export function useEarlyUnits(box: RefObject<HTMLElement>, units: Units): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    for (const input of box.current?.querySelectorAll<HTMLInputElement>("input[name]") ?? [])
      takeTyped(units, input);
  }, []);
}

function takeTyped({ draft, changeUnit, changeOption }: Units, { name, value }: HTMLInputElement): void {
  const [, list, at, field = ""] = FIELD.exec(name) ?? [];
  const index = Number(at);
  const known = UNIT_FIELDS.find((each) => each === field);
  if (list === "units" && known && draft.units[index]?.[known] !== value) changeUnit(index, known, value);
  const option = list === "options" ? draft.options[index] : undefined;
  if (option && (field === "name" || field === "add") && option[field] !== value)
    changeOption(index, { [field]: value });
}

/** Props of a button that changes the units: a script does it in place, without one the form is sent. */
export const actButton = (act: Units["act"], name: string) => ({
  type: "submit" as const,
  name: "act",
  value: name,
  formNoValidate: true,
  onClick: (event: MouseEvent) => {
    event.preventDefault();
    act(name);
  },
});
