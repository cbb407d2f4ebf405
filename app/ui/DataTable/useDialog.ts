import { useActionData, useLocation } from "@remix-run/react";
import type { FormFailure } from "../useCheckedForm";
import { type ListParams, listUrl } from "./list-params";

/** What every dialog over a list is given. */
export interface DialogFrame {
  /** Where closing it leads: the same list with the same filters. */
  back: string;
  /** The dialog's own address, which its form is sent to. */
  action: string;
  /** What the page's action answered, if it refused. */
  refused: FormFailure | undefined;
}

/** Where the dialog over a list is, and what its form was answered. */
export function useDialog(params: ListParams): DialogFrame {
  const refused = useActionData<FormFailure>();
  const { pathname, search } = useLocation();
  return { back: listUrl(params), action: pathname + search, refused };
}
