import { useFetcher, useLocation } from "@remix-run/react";
import type { FormEvent } from "react";
import { Icon } from "./Icon";

/** Stored theme; "system" follows the operating system. */
export type ThemeChoice = "light" | "dark" | "system";

const CHOICES = [
  ["light", "Light", "sun"],
  ["dark", "Dark", "moon"],
  ["system", "Like the system", "monitor"],
] as const;

/** Key of the fetcher that sends a choice; root applies it before the server responds. */
export const THEME_FETCHER = "theme";

/** Buttons for the theme. Without JavaScript the form redirects back to its page. */
export function ThemeSwitch({ theme }: { theme: ThemeChoice }) {
  const { pathname, search } = useLocation();
  const { formData, submit } = useFetcher({ key: THEME_FETCHER });
  const chosen = formData?.get("theme") ?? theme;
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const button = (event.nativeEvent as SubmitEvent).submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    submit({ theme: button.value }, { method: "post", action: "/theme" });
  };
  return (
    <form method="post" action="/theme" className="theme-switch" onSubmit={choose}>
      <fieldset>
        <legend className="visually-hidden">Theme</legend>
        <input type="hidden" name="back" value={pathname + search} />
        {CHOICES.map(([value, label, icon]) => (
          <button
            key={value}
            name="theme"
            value={value}
            type="submit"
            aria-label={label}
            title={label}
            aria-pressed={chosen === value}
          >
            <Icon name={icon} />
          </button>
        ))}
      </fieldset>
    </form>
  );
}
