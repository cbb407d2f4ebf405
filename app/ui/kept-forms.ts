import { useRevalidator, useSubmit } from "@remix-run/react";
import { useEffect } from "react";
import { localTo } from "~/domain/local-to";
import { readEntry, writeEntry } from "./browser-storage";
import { listen } from "./listen";
import { pageLoadType } from "./page-load";

/** Entry of the kept forms. */
export const KEPT_FORMS = "emporia:forms";

/** Form that the shop has not answered. */
export interface KeptForm {
  /** Of its fetcher; a newer form of the same fetcher replaces it. */
  key: string;
  action: string;
  /** Urlencoded. */
  body: string;
}

/** Reads the kept forms in the order of sending. */
export const keptForms = () => (readEntry(KEPT_FORMS).forms ?? []) as KeptForm[];

const formsBeside = (key: string) => keptForms().filter((form) => form.key !== key);

/** Keeps a form until it is answered, also when the page is left before that. */
export function keepForm(form: FormData, { key, action }: Omit<KeptForm, "body">): void {
  const body = new URLSearchParams(form as unknown as URLSearchParams).toString();
  writeEntry(KEPT_FORMS, { forms: [...formsBeside(key), { key, body, action }] });
}

/** Forgets an answered form, and when it was answered, epoch ms. @param key of its fetcher */
export function forgetForm(key: string): void {
  writeEntry(KEPT_FORMS, { forms: formsBeside(key), at: Date.now() });
}

/** Tells that a form was answered after this page was asked for, which has the data of before. */
const isOlderThanAnswer = () => Number(readEntry(KEPT_FORMS).at) > performance.timeOrigin;

/**
 * Sends the forms again that the previous page was left with; their actions take a repeated one as one.
 *
 * @param load loads what sends forms without Remix: on a reloaded page, since Remix reloads the page when the script of an
 *   action's page does not load
 */
export function useKeptForms(load: () => Promise<{ sendAgain: (forms: KeptForm[]) => Promise<void> }>): void {
  const submit = useSubmit();
  const { revalidate } = useRevalidator();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on the page's load
  useEffect(() => {
    const send = () => {
      for (const { key, action, body } of keptForms()) {
        const sending = {
          method: "post",
          action: localTo(action),
          navigate: false,
          fetcherKey: key,
        } as const;
        submit(new URLSearchParams(body), sending);
      }
    };
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && send();
    const ignore = listen(window, ["pageshow"], comeBack);
    const forms = keptForms();
    if (forms.length === 0) isOlderThanAnswer() && revalidate();
    else if (pageLoadType() === "reload")
      load()
        .then(({ sendAgain }) => sendAgain(forms))
        .then(revalidate, () => undefined);
    else send();
    return ignore;
  }, []);
  useOtherTabs(revalidate);
}

/** Reads the page's data again when another tab has sent a form or got its answer, once this tab is visible. */
function useOtherTabs(revalidate: () => void): void {
  useEffect(() => {
    let isBehind = false;
    const read = () => {
      if (!isBehind || document.hidden) return;
      isBehind = false;
      revalidate();
    };
    const change = ({ key }: StorageEvent) => {
      isBehind ||= key === KEPT_FORMS;
      read();
    };
    const ignoreChanges = listen(window, ["storage"], change);
    const ignoreVisits = listen(document, ["visibilitychange"], read);
    return () => {
      ignoreChanges();
      ignoreVisits();
    };
  }, [revalidate]);
}
