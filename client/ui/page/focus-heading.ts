/** Where the focus goes when what had it disappears: the heading of the page, which every page has. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
}
