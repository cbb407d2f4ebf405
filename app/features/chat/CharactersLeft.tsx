import { MAX_MESSAGE } from "./limits";

/** From so many on before the end, what is left is said; read aloud in such steps. */
const NEAR = 200;
const STEP = 50;

/** How many characters of a message are left; below 0: too many. Counted as the server does, an emoji as one. */
export const charactersLeft = (text: string) => MAX_MESSAGE - [...text.trim()].length;

/** Says near the limit of a message how much is left, and past it how much is too much. */
export function CharactersLeft({ left }: { left: number }) {
  const isOver = left < 0;
  return (
    <>
      {left <= NEAR && (
        <p className={isOver ? "count-left over" : "count-left"} aria-hidden="true">
          {isOver ? `Characters too many: ${-left}` : `Characters left: ${left}`}
        </p>
      )}
      <span className="visually-hidden" role="status">
        {left <= NEAR &&
          (isOver ? "The message is too long" : `Characters left: ${Math.ceil(left / STEP) * STEP}`)}
      </span>
    </>
  );
}
