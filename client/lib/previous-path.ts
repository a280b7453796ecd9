/** The paths of the entries of the browser's history since the page was loaded, by their index. */
const paths = new Map<number, string>();

function currentIndex(): number | null {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : null;
}

export function rememberPath(path: string): void {
  const index = currentIndex();
  if (index !== null) paths.set(index, path);
}

/** The path of the entry before the shown one, to which the browser's back button leads. */
export function previousPath(): string | undefined {
  const index = currentIndex();
  return index === null ? undefined : paths.get(index - 1);
}
