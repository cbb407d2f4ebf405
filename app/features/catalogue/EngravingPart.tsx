import { lazy, Suspense, useState } from "react";
import { loadStyles } from "~/ui/load-styles";
import { EngravingField } from "./EngravingField";
import onDemandCss from "./on-demand.css?url";
import type { OfferedOptions } from "./options";

/** Loaded with the first words: most visits need none. */
const EngravingPreview = lazy(() =>
  Promise.all([import("./EngravingPreview"), loadStyles(onDemandCss)])
    .then(([preview]) => preview)
    .catch(() => ({ default: () => null })),
);

/** Words to engrave, drawn on the product as they are typed. */
export default function Engraving(props: {
  choices: OfferedOptions;
  color: OfferedOptions["colors"][number] | null;
}) {
  const [text, setText] = useState("");
  const words = text.trim();
  return (
    <div className="engraving">
      <EngravingField onText={setText} room={props.choices.room} />
      {words && (
        <Suspense>
          <EngravingPreview {...props} words={words} />
        </Suspense>
      )}
    </div>
  );
}
