/**
 * Defines the methods of arrays that Chrome 109 and Safari 15 lack (docs/decisions/019-other-browsers.md). The page, the worker
 * and the service worker import it before everything else.
 */

function changed<T>(array: readonly T[], change: (copy: T[]) => void): T[] {
  const copy = [...array];
  change(copy);
  return copy;
}

type Compare = (a: unknown, b: unknown) => number;
type Splice = [start: number, deleteCount: number, ...items: unknown[]];

export const arrayMethods = {
  toReversed(this: unknown[]): unknown[] {
    // oxlint-disable-next-line unicorn/no-array-reverse
    return changed(this, (copy) => void copy.reverse());
  },
  toSorted(this: unknown[], compare?: Compare): unknown[] {
    // oxlint-disable-next-line unicorn/no-array-sort
    return changed(this, (copy) => void copy.sort(compare));
  },
  toSpliced(this: unknown[], ...splice: Splice): unknown[] {
    return changed(this, (copy) => void copy.splice(...splice));
  },
  with(this: unknown[], index: number, item: unknown): unknown[] {
    return changed(this, (copy) => void copy.splice(index, 1, item));
  },
};

for (const [name, value] of Object.entries(arrayMethods)) {
  if (name in Array.prototype) continue;
  // oxlint-disable-next-line eslint/no-extend-native
  Object.defineProperty(Array.prototype, name, { value, configurable: true, writable: true });
}
