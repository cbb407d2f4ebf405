/**
 * Tests that a key belongs to an input method, which composes text: its Enter accepts a word. Safari reports the key that
 * ends a composition after its end, with the code 229 alone.
 *
 * @param event a keydown of the DOM; React's has it as `nativeEvent`
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;
