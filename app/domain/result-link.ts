/** Link of the result of an action: to a page, to a file in a tab of its own, or to a file that is saved. */
export interface ResultLink {
  to: string;
  label: string;
  opens?: "page" | "tab" | "file";
}
