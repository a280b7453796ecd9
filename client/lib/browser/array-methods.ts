/**
 * Defines the methods of arrays that Chrome 109 and Safari 15 lack (docs/decisions/019-other-browsers.md). The page, the worker
 * and the service worker import it before everything else.
 */

type Compare = (a: unknown, b: unknown) => number;
type Splice = [start: number, deleteCount: number, ...items: unknown[]];

/** The change of a copy by each method. */
export const arrayMethods: Record<string, (copy: unknown[], ...args: readonly unknown[]) => unknown> = {
  // oxlint-disable-next-line unicorn/no-array-reverse
  toReversed: (copy) => copy.reverse(),
  // oxlint-disable-next-line unicorn/no-array-sort
  toSorted: (copy, compare) => copy.sort(compare as Compare),
  toSpliced: (copy, ...splice) => copy.splice(...(splice as Splice)),
  with: (copy, index, item) => copy.splice(index as number, 1, item),
};

for (const [name, change] of Object.entries(arrayMethods)) {
  if (name in Array.prototype) continue;
  // oxlint-disable-next-line eslint/no-extend-native
  Object.defineProperty(Array.prototype, name, {
    configurable: true,
    value(this: unknown[], ...args: unknown[]) {
      const copy = [...this];
      change(copy, ...args);
      return copy;
    },
  });
}
