const LOOK_EVERY_MS = 50;
const LOOKS_MAX = 20;

/**
 * Brings the first field that is marked wrong into view and gives it the focus. Call it from the form's failure handler:
 * `form.onSubmit(save, (_errors, _values, event) => focusFirstError(event?.currentTarget))`
 */
export function focusFirstError(form: HTMLElement | null | undefined): void {
  let looks = 0;
  // The marks appear with the next render, which on a slow phone comes a good while later.
  function look(): void {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]:not([type="hidden"])');
    looks += 1;
    if (!field && looks < LOOKS_MAX) setTimeout(look, LOOK_EVERY_MS);
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  }
  setTimeout(look);
}
