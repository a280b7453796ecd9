/**
 * Replaces a part of a text field as if it were typed, so that Ctrl+Z takes it back and the field's own handlers see it.
 * @returns false where the browser cannot; the field may have changed all the same
 */
export function insertText(field: HTMLTextAreaElement, from: number, to: number, text: string): boolean {
  const expected = field.value.slice(0, from) + text + field.value.slice(to);
  field.focus({ preventScroll: true });
  field.setSelectionRange(from, to);
  try {
    // Nothing else writes into the history of the field.
    // oxlint-disable-next-line typescript/no-deprecated
    return document.execCommand('insertText', false, text) && field.value === expected;
  } catch {
    return false;
  }
}
