/**
 * JSON that may stand in a script element: `</script>` and `<!--` in a name stay text.
 *
 * @param value anything that JSON takes
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
