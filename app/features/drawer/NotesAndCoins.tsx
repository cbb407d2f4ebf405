import { useState } from "react";
import { CASH_PIECES_CENTS } from "~/domain/currency";
import { decimalDollars, dollars, shortDollars } from "~/domain/money";
import { describedBy, FieldNotes } from "~/ui/Field";
import { typeInto } from "~/ui/type-into";
import type { useRefusedForm } from "~/ui/useRefusedForm";
import { countedPieces, piecesField, readPieces } from "./pieces";

interface NotesAndCoinsProps {
  /** Id of the field that takes their sum. */
  sumField: string;
  form: Pick<ReturnType<typeof useRefusedForm>, "value" | "error">;
}

/** Counts of notes and coins, folded: their sum is what was counted. */
export function NotesAndCoins({ sumField, form: { value, error } }: NotesAndCoinsProps) {
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(CASH_PIECES_CENTS.map((cents) => [piecesField(cents), value(piecesField(cents))])),
  );
  const count = (name: string, text: string) => {
    const next = { ...typed, [name]: text };
    setTyped(next);
    typeInto(sumField, Object.values(next).some(Boolean) ? decimalDollars(countedPieces(next)) : "");
  };
  const isUsed = Object.values(typed).some(Boolean);
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <details
      className="notes-and-coins"
      open={isOpen || isUsed}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>By notes and coins</summary>
      {CASH_PIECES_CENTS.map((cents) => {
        const name = piecesField(cents);
        return (
          <Pieces
            key={cents}
            {...{ cents, name }}
            text={typed[name] ?? ""}
            error={error(name)}
            onCount={(text) => count(name, text)}
          />
        );
      })}
    </details>
  );
}

interface PiecesProps {
  cents: number;
  name: string;
  text: string;
  error: string | undefined;
  onCount: (text: string) => void;
}

/** Number of the notes or coins of one value, and what they make. */
function Pieces({ cents, name, text, error, onCount }: PiecesProps) {
  const id = `drawer-${name}`;
  const pieces = readPieces(text);
  return (
    <div className="pieces">
      <label htmlFor={id}>{`${shortDollars(cents)} ×`}</label>
      <input
        className="input"
        name={name}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        defaultValue={text}
        onInput={({ currentTarget }) => onCount(currentTarget.value)}
        {...describedBy(id, error)}
        id={id}
      />
      <output htmlFor={id} className="num">
        {pieces ? dollars(pieces * cents) : ""}
      </output>
      <FieldNotes id={id} error={error} />
    </div>
  );
}
