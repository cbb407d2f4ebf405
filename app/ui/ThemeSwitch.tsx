import { useFetcher, useLocation } from "@remix-run/react";
import { type FormEvent, useEffect } from "react";
import { Icon } from "./Icon";
import { forgetForm, keepForm } from "./kept-forms";

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
  const { data, formData, submit } = useFetcher({ key: THEME_FETCHER });
  const chosen = formData?.get("theme") ?? theme;
  useEffect(() => {
    if (data) forgetForm(THEME_FETCHER);
  }, [data]);
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const button = (event.nativeEvent as SubmitEvent).submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    const form = { theme: button.value };
    keepForm(form, { key: THEME_FETCHER, action: "/theme", once: true });
    submit(form, { method: "post", action: "/theme" });
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
