import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { swatchOf } from "~/features/catalogue/swatches";
import {
  coloursOf,
  MAX_CODE,
  MAX_OPTION_NAME,
  MAX_OPTION_VALUE,
  MAX_OPTIONS,
  type ProductUnit,
  UNIT,
} from "~/features/catalogue/units";
import { isComposing } from "~/ui/composition";
import { Field } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import type { FieldValue } from "~/ui/useCheckedForm";
import { lostParts } from "./free-choices";
import { UnitMatrix } from "./UnitMatrix";
import type { UnitsDraft } from "./units-draft";
import type { Tile } from "./useImages";
import { actButton, type UnitErrors, type Units, useEarlyUnits } from "./useUnits";

interface UnitsFieldProps {
  units: Units & UnitErrors;
  form: { field(name: "sku" | "barcode"): FieldValue };
  /** Messages by field: `units.0.sku` is the code of an only unit. */
  problems: Record<string, string>;
  /** Units that are stored. */
  stored: readonly ProductUnit[];
  /** Pieces that are to be divided; null where the choices are counted already, or nothing is stored. */
  divided: number | null;
  /** Price of the product as it is typed. */
  price: string;
  tiles: readonly Tile[];
}

/** Codes of an only unit, or the options of a product with its units. Each button works without a script too. */
export function UnitsField(props: UnitsFieldProps) {
  const { units } = props;
  const { draft, act, error } = units;
  const box = useRef<HTMLFieldSetElement>(null);
  useEarlyUnits(box, units);
  useAddedOption(box, draft);
  return (
    <fieldset className="units-field" ref={box}>
      <legend className="visually-hidden">Units</legend>
      {!draft.isCounted && <Codes {...props} />}
      <CountSwitch draft={draft} act={act} />
      <Losses draft={draft} />
      <input type="hidden" name="counted" value={draft.isCounted ? "1" : ""} />
      {draft.isCounted && <Options units={units} />}
      <Removal draft={draft} act={act} />
      {(draft.problem ?? error) && (
        <p className="error" role="alert" tabIndex={-1}>
          <Icon name="circle-alert" />
          {draft.problem ?? error}
        </p>
      )}
      {draft.isCounted && draft.units.length > 0 && <UnitMatrix {...props} />}
    </fieldset>
  );
}

function Codes({ form, problems }: Pick<UnitsFieldProps, "form" | "problems">) {
  return (
    <div className="unit-codes">
      {(["sku", "barcode"] as const).map((name) => {
        const field = form.field(name);
        const { label } = UNIT.fields[name];
        return (
          <Field
            key={name}
            label={label}
            maxLength={MAX_CODE}
            autoComplete="off"
            {...{ ...field, error: field.error ?? problems[`units.0.${name}`] }}
          />
        );
      })}
    </div>
  );
}

/** Focuses the name of an option that has been added, or the field of its values when it has a name. */
function useAddedOption(box: RefObject<HTMLElement>, { isCounted, options }: UnitsDraft): void {
  const count = isCounted ? options.length : 0;
  const before = useRef(count);
  useEffect(() => {
    const isMore = count > before.current;
    before.current = count;
    if (!isMore) return;
    const fields = box.current?.querySelectorAll<HTMLInputElement>(`[name^="options[${count - 1}]."]`) ?? [];
    const [name] = fields;
    (name?.value === "" ? name : [...fields].at(-1))?.focus();
  }, [box, count]);
}

function CountSwitch({ draft, act }: { draft: UnitsDraft; act: Units["act"] }) {
  const { isCounted } = draft;
  return (
    <div className="count-switch">
      <label htmlFor="count-switch">
        <b>Count stock for each choice</b>
        <small id="count-hint">
          {isCounted
            ? "Turned off, one stock counts for all choices: the stocks are added up."
            : "Each size or colour gets its own stock, and may have its own price, SKU, barcode and picture."}
        </small>
      </label>
      <button
        {...actButton(act, isCounted ? "uncount" : "count")}
        id="count-switch"
        role="switch"
        aria-checked={isCounted}
        aria-label="Count stock for each choice"
        aria-describedby="count-hint"
        className="switch"
      />
    </div>
  );
}

/** Says what saving loses once the choices are not counted any more. */
function Losses({ draft }: { draft: UnitsDraft }) {
  const lost = lostParts(draft);
  if (lost.length === 0) return null;
  return (
    <p className="error" role="alert">
      <Icon name="circle-alert" />
      {`Saving removes ${lost.join("; ")}. Turn it on again to keep them.`}
    </p>
  );
}

/** Says what was removed with its choices, and takes it back. */
function Removal({ draft: { removed }, act }: { draft: UnitsDraft; act: Units["act"] }) {
  return (
    <p className="hint" role="status">
      {removed && (
        <>
          {`Saving removes ${removed.text}. `}
          <button {...actButton(act, "restore")} className="link needs-script">
            Take it back
          </button>
        </>
      )}
    </p>
  );
}

function Options({ units }: { units: Units }) {
  const { options } = units.draft;
  return (
    <div className="unit-options">
      {options.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is its position
        <Option key={index} index={index} units={units} />
      ))}
      {options.length < MAX_OPTIONS && (
        <button {...actButton(units.act, "option")} className="btn small">
          <Icon name="plus" className="i s" />
          Add an option
        </button>
      )}
    </div>
  );
}

interface OptionProps {
  index: number;
  units: Units;
}

function Option({ index, units }: OptionProps) {
  const { draft, act, changeOption } = units;
  const option = draft.options[index];
  if (!option) return null;
  const label = option.name || `option ${index + 1}`;
  return (
    <fieldset className="unit-option">
      <legend className="visually-hidden">{`Option ${index + 1}`}</legend>
      <span className="button-row">
        <input
          className="input option-name"
          name={`options[${index}].name`}
          aria-label={`Name of option ${index + 1}`}
          placeholder={index === 0 ? "Colour" : "Size"}
          maxLength={MAX_OPTION_NAME}
          autoComplete="off"
          value={option.name}
          onChange={({ target }) => changeOption(index, { name: target.value })}
          onKeyDown={stopEnter}
        />
        <DropButton act={act} name={`drop-option:${index}`} label={`Remove ${label}`} icon="trash-2" />
      </span>
      <Values {...{ index, units, label }} values={option.values} />
      <AddValues {...{ index, units, label }} typed={option.add} />
    </fieldset>
  );
}

interface DropButtonProps {
  act: Units["act"];
  name: string;
  label: string;
  icon: IconName;
}

const DropButton = ({ act, name, label, icon }: DropButtonProps) => (
  <button {...actButton(act, name)} className="tool-button" aria-label={label}>
    <Icon name={icon} className="i s" />
  </button>
);

function Values({ index, units, label, values }: OptionProps & { label: string; values: string[] }) {
  const { act, changeOption } = units;
  const swatches = coloursOf([{ name: label, values }]).map(swatchOf);
  return (
    <ul>
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a value is its position
        <li key={at}>
          {swatches[at] && <i className="swatch-dot" style={{ background: swatches[at] }} />}
          <input
            className="input"
            name={`options[${index}].values`}
            aria-label={`${label}, value ${at + 1}`}
            maxLength={MAX_OPTION_VALUE}
            autoComplete="off"
            value={value}
            onChange={({ target }) => changeOption(index, { value: [at, target.value] })}
            onKeyDown={stopEnter}
          />
          <DropButton act={act} name={`drop:${index}:${at}`} label={`Remove ${value}`} icon="x" />
        </li>
      ))}
    </ul>
  );
}

function AddValues({ index, units, label, typed }: OptionProps & { label: string; typed: string }) {
  const { act, changeOption } = units;
  return (
    <span className="button-row">
      <input
        className="input"
        name={`options[${index}].add`}
        aria-label={`Add a value of ${label}`}
        placeholder="Add a value, or several: S, M, L"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => changeOption(index, { add: target.value })}
        onKeyDown={(event) => {
          if (stopEnter(event)) act(`add:${index}`);
        }}
      />
      <button {...actButton(act, `add:${index}`)} className="btn" aria-label={`Add to ${label}`}>
        <Icon name="plus" className="i s" />
        Add
      </button>
    </span>
  );
}

/** Keeps Enter from saving the form. @returns true for an Enter that is not part of a composition */
function stopEnter(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || isComposing(event.nativeEvent)) return false;
  event.preventDefault();
  return true;
}
