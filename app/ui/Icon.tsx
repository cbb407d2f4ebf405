import type { IconName } from "./icons";
import sprite from "./icons.svg?url";

interface IconProps {
  name: IconName;
  className?: string;
  /** Text alternative; an icon without one is decoration. */
  label?: string;
}

/** Icon of the sprite that scripts/icon-sprite.ts builds. */
export function Icon({ name, className = "i", label }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      role={label && "img"}
      aria-label={label}
      aria-hidden={label ? undefined : "true"}
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

/** Logo of the sprite. Hidden from screen readers, since the shop's name follows. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <use href={`${sprite}#logo`} />
    </svg>
  );
}
