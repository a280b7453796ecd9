const RETRY_INTERVAL_MS = 50;
const ATTEMPTS_MAX = 20;

/**
 * Brings the first field that is marked wrong into view and gives it the focus. Call it from the form's failure handler:
 * `form.onSubmit(save, (_errors, _values, event) => focusFirstError(event?.currentTarget))`
 */
export function focusFirstError(form: HTMLElement | null | undefined): void {
  let attempts = 0;
  // The marks appear with the next render, which on a slow phone comes a good while later.
  function tryFocus(): void {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]:not([type="hidden"])');
    attempts += 1;
    if (!field && attempts < ATTEMPTS_MAX) setTimeout(tryFocus, RETRY_INTERVAL_MS);
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  }
  setTimeout(tryFocus);
}
