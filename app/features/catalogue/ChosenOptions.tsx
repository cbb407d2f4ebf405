import { type LabelledOptions, optionsText } from "./options";

interface ChosenOptionsProps {
  chosen: LabelledOptions;
  /** CSS background of the chosen colour. */
  swatch: string | null;
}

/** Choices of a line in words, after a swatch where the colour is known; nothing where there was nothing to choose. */
export function ChosenOptions({ chosen, swatch }: ChosenOptionsProps) {
  const text = optionsText(chosen);
  if (text === "") return null;
  return (
    <span className="chosen">
      {swatch && <i className="swatch-dot" style={{ background: swatch }} />}
      <bdi>{text}</bdi>
    </span>
  );
}
