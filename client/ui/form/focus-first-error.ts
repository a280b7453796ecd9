const RETRY_INTERVAL_MS = 50;
const ATTEMPTS_MAX = 20;

/**
 * Scrolls to the first invalid field and focuses it. Called from the failure handler of the form:
 * `form.onSubmit(save, (_errors, _values, event) => focusFirstError(event?.currentTarget))`
 */
export function focusFirstError(form: HTMLElement | null | undefined): void {
  let attempts = 0;
  // The fields are marked by the next render, which is late on a slow phone.
  function tryFocus(): void {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]:not([type="hidden"])');
    attempts += 1;
    if (!field && attempts < ATTEMPTS_MAX) setTimeout(tryFocus, RETRY_INTERVAL_MS);
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  }
  setTimeout(tryFocus);
}
