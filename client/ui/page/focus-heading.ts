/** Focuses the heading of the page, for when the focused element disappears. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
}
