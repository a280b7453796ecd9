type KeyPress = { key: string; altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean };

/** Which row a key leads to from row `index` (-1: from none) of `count`; null for keys that lead nowhere. */
export function targetIndexOf(
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress,
  index: number,
  count: number,
): number | null {
  if (altKey || ctrlKey || metaKey || shiftKey || count === 0) return null;
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, last);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
