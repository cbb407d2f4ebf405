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
  const href = `${sprite}#${name}`;
  return label ? (
    <svg viewBox="0 0 24 24" className={className} role="img" aria-label={label}>
      <use href={href} />
    </svg>
  ) : (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
      <use href={href} />
    </svg>
  );
}

/** Logo: a price tag shaped as a speech bubble. Hidden from screen readers, since the shop's name follows. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path
        fill="var(--yellow)"
        fillRule="evenodd"
        d="M10 1.5h12A8.5 8.5 0 0 1 30.5 10v12a8.5 8.5 0 0 1-8.5 8.5H3.2a1.7 1.7 0 0 1-1.7-1.7V10A8.5 8.5 0 0 1 10 1.5zM23.4 6a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z"
      />
      <path fill="var(--on-yellow)" d="M8.2 9.4h9.2v3h-5.9v3h5.4v2.9h-5.4v3.1h6.2v3H8.2z" />
    </svg>
  );
}
