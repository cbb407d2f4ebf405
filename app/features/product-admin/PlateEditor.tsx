import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { z } from "zod";
import { type Plate, TONES } from "~/domain/engraving-plate";
import EngravedWords from "~/features/catalogue/EngravedWords";
import { platesOf } from "~/features/catalogue/plate-schema";
import { Icon } from "~/ui/Icon";
import { TilePicture } from "./ImageTile";
import {
  FIRST_PLATE,
  movedPlate,
  PLATE_FIELDS,
  type PlateInput,
  type PlateTexts,
  plateTexts,
  readPlate,
  resizedPlate,
  spannedPlate,
  TONE_NAMES,
} from "./plates";
import type { Tile } from "./useImages";

/** Shares by which an arrow key moves or resizes a plate. */
const STEP = 0.01;
const EXAMPLE = "Your words";
/** Id of the sentence about a refused field. */
const PROBLEM = "plate-problem";
const rule = platesOf(z.string());

interface PlateEditorProps {
  tile: Tile;
  /** From 0. */
  position: number;
  plate: Plate | undefined;
  onChange: (plate: Plate | undefined) => void;
  onClose: () => void;
}

/** Editor of the place on a picture where words are engraved: drawn on the picture, or typed as numbers. */
export function PlateEditor({ tile, position, plate, onChange, onClose }: PlateEditorProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { texts, problem, draw, type } = usePlateTexts(plate, onChange);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.closest("section")?.scrollIntoView({ block: "nearest" });
  }, []);
  const close = () => (problem ? document.getElementById(`plate-${problem.name}`)?.focus() : onClose());
  return (
    <section className="plate-editor needs-script" aria-labelledby="plate-heading">
      <h3 id="plate-heading" ref={heading} tabIndex={-1}>
        Engraving plate of image {position + 1}
      </h3>
      <DrawnPlate tile={tile} plate={plate} onChange={draw} />
      <div className="plate-numbers">
        <p className="soft">
          Drag on the picture where the words go. Arrow keys move the plate, with Shift they change its size.
        </p>
        <PlateInputs id="plate" texts={texts} invalid={problem?.name} onType={type} />
        {problem && (
          <p className="error" id={PROBLEM} role="alert">
            {problem.message}
          </p>
        )}
        <div className="button-row">
          <button type="button" className="btn" onClick={close}>
            Done
          </button>
          {plate && (
            <button type="button" className="btn danger" onClick={() => draw(undefined)}>
              Remove plate
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

/** Texts of a plate's fields: those of the drawn plate, or what was typed, which is a plate once it is valid. */
function usePlateTexts(plate: Plate | undefined, onChange: PlateEditorProps["onChange"]) {
  const [texts, setTexts] = useState(plateTexts(plate));
  const [problem, setProblem] = useState<{ name: PlateInput; message: string }>();
  const draw = (next: Plate | undefined) => {
    setTexts(plateTexts(next));
    setProblem(undefined);
    onChange(next);
  };
  const type = (name: PlateInput, text: string) => {
    const typed = { ...texts, [name]: text };
    setTexts(typed);
    const plateOf = readPlate(typed);
    const read = rule.safeParse(plateOf ? { plate: plateOf } : {});
    const [issue] = read.error?.issues ?? [];
    setProblem(issue && { name: PLATE_FIELDS[issue.path[1] as keyof Plate], message: issue.message });
    if (read.success) onChange(read.data.plate);
  };
  return { texts, problem, draw, type };
}

interface DrawnPlateProps {
  tile: Tile;
  plate: Plate | undefined;
  onChange: (plate: Plate) => void;
}

/** Picture on which the plate is drawn with mouse, finger or pen. */
function DrawnPlate({ tile, plate, onChange }: DrawnPlateProps) {
  const frame = useRef<HTMLDivElement>(null);
  const pointer = usePlatePointer(frame, plate, onChange);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const [dx, dy] = ARROWS[key] ?? [0, 0];
    if (!plate || (dx === 0 && dy === 0)) return;
    event.preventDefault();
    onChange((shiftKey ? resizedPlate : movedPlate)(plate, dx * STEP, dy * STEP));
  };
  return (
    <div className="plate-frame" ref={frame} {...pointer}>
      <TilePicture tile={tile} width={320} />
      {plate ? (
        <>
          <EngravedWords plate={plate} words={EXAMPLE} />
          <button
            type="button"
            className="plate-box"
            aria-label="Plate: arrow keys move it, with Shift they change its size"
            style={boxStyle(plate)}
            onKeyDown={onKeyDown}
          >
            <span className="plate-corner" data-corner="" aria-hidden="true" />
          </button>
        </>
      ) : (
        <button type="button" className="btn plate-start" onClick={() => onChange(FIRST_PLATE)}>
          <Icon name="plus" className="i s" />
          Mark a plate
        </button>
      )}
    </div>
  );
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const boxStyle = ({ x, y, width, height, angle }: Plate) => ({
  left: `${x * 100}%`,
  top: `${y * 100}%`,
  width: `${width * 100}%`,
  height: `${height * 100}%`,
  rotate: `${angle}deg`,
});

/** Drag under way: of the plate, of its corner, or of a new one. */
interface Drag {
  kind: "move" | "resize" | "span";
  from: [number, number];
  plate: Plate;
}

/** Pointer events that draw, move and resize a plate. */
function usePlatePointer(
  frame: React.RefObject<HTMLElement>,
  plate: Plate | undefined,
  onChange: (plate: Plate) => void,
) {
  const drag = useRef<Drag | null>(null);
  const pointOf = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top, width, height } = frame.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    return [(clientX - left) / width, (clientY - top) / height];
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const target = event.target as HTMLElement;
      if (event.button !== 0 || target.closest(".plate-start")) return;
      const isBox = target.closest(".plate-box") !== null;
      const kind = !isBox ? "span" : "corner" in target.dataset ? "resize" : "move";
      drag.current = { kind, from: pointOf(event), plate: plate ?? FIRST_PLATE };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const { current } = drag;
      if (!current) return;
      const to = pointOf(event);
      const [dx, dy] = [to[0] - current.from[0], to[1] - current.from[1]];
      if (current.kind === "move") onChange(movedPlate(current.plate, dx, dy));
      else if (current.kind === "resize") onChange(resizedPlate(current.plate, dx, dy));
      // A tap draws nothing.
      else if (Math.hypot(dx, dy) > STEP) onChange(spannedPlate(current.plate, current.from, to));
    },
    onPointerUp: () => {
      // For the arrow keys.
      if (drag.current) frame.current?.querySelector<HTMLElement>(".plate-box")?.focus();
      drag.current = null;
    },
    onPointerCancel: () => {
      drag.current = null;
    },
  };
}

interface PlateInputsProps {
  /** Prefix of the fields' ids. */
  id: string;
  texts: PlateTexts;
  invalid?: PlateInput | undefined;
  /** Undefined for fields that are sent with the form. */
  onType?: (name: PlateInput, text: string) => void;
}

const NUMBERS: [PlateInput, label: string][] = [
  ["plateX", "Left %"],
  ["plateY", "Top %"],
  ["plateWidth", "Width %"],
  ["plateHeight", "Height %"],
  ["plateAngle", "Angle °"],
];

/** Fields of a plate. */
function PlateInputs({ id, texts, invalid, onType }: PlateInputsProps) {
  const bind = (name: PlateInput) => ({
    id: `${id}-${name}`,
    className: "input",
    ...(name === invalid && { "aria-invalid": true, "aria-describedby": PROBLEM }),
    ...(onType
      ? { value: texts[name], onChange: (event: TypeEvent) => onType(name, event.target.value) }
      : { name, defaultValue: texts[name] }),
  });
  const line = { autoComplete: "off", onKeyDown: keepForm };
  return (
    <span className="plate-inputs">
      {NUMBERS.map(([name, label]) => (
        <label key={name} htmlFor={`${id}-${name}`}>
          {label}
          <input inputMode="decimal" {...line} {...bind(name)} />
        </label>
      ))}
      <label className="wide" htmlFor={`${id}-plateTone`}>
        Tone
        <select {...bind("plateTone")}>
          {TONES.map((tone) => (
            <option key={tone} value={tone}>
              {TONE_NAMES[tone]}
            </option>
          ))}
        </select>
      </label>
      <label className="wide" htmlFor={`${id}-plateLines`}>
        Characters in each line
        <input placeholder="14, 14" {...line} {...bind("plateLines")} />
      </label>
    </span>
  );
}

interface TypeEvent {
  target: { value: string };
}

/** Keeps Enter in a number from saving the product. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
}

/** Fields of a plate without JavaScript; all blank for none. */
export function PlainPlateFields({ position, texts }: { position: number; texts: PlateTexts }) {
  return (
    <details className="without-script plain-plate-fields" open={texts.plateX !== ""}>
      <summary>Engraving plate</summary>
      <PlateInputs id={`plate-${position}`} texts={texts} />
    </details>
  );
}
