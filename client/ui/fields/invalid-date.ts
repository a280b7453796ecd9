const INVALID_DATE = 'input[data-invalid-date]';

/**
 * Focuses the first date field in `form` whose text is no date. Its value is empty, so that saving would lose what was typed.
 * @returns whether there is one
 */
export function focusInvalidDate(form: HTMLElement | null | undefined): boolean {
  const field = form?.querySelector<HTMLElement>(INVALID_DATE);
  // Leaving the field shows its message.
  field?.focus();
  field?.blur();
  field?.focus();
  field?.scrollIntoView({ block: 'center' });
  return Boolean(field);
}
