import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const names = ['toReversed', 'toSorted', 'toSpliced', 'with'] as const;
const native = names.map((name) => [name, Object.getOwnPropertyDescriptor(Array.prototype, name)] as const);

const results = () => {
  const numbers = [10, 9, 1, 8];
  const found = [
    numbers.toReversed(),
    // As texts: the order without a function.
    // oxlint-disable-next-line typescript/require-array-sort-compare
    numbers.toSorted(),
    numbers.toSorted((a, b) => a - b),
    numbers.toSpliced(1, 2),
    numbers.toSpliced(1, 0, 5, 6),
    numbers.toSpliced(-1, 1),
    numbers.with(0, 7),
    // oxlint-disable-next-line unicorn/no-confusing-array-with
    numbers.with(-1, 7),
  ];
  return { found, numbers };
};

beforeEach(() => void vi.resetModules());
afterEach(() => {
  for (const [name, descriptor] of native) {
    // oxlint-disable-next-line eslint/no-extend-native
    if (descriptor) Object.defineProperty(Array.prototype, name, descriptor);
  }
});

it('gives old browsers the methods of arrays that they lack, which leave the array as it is', async () => {
  const wanted = results();
  for (const name of names) Reflect.deleteProperty(Array.prototype, name);
  const { arrayMethods } = await import('./array-methods.ts');
  expect(Object.keys(arrayMethods)).toEqual(names);
  expect(results()).toEqual(wanted);
  expect(wanted.numbers).toEqual([10, 9, 1, 8]);
  // A loop over the keys of an array must not meet them.
  expect(Object.keys(Array.prototype)).toEqual([]);
});

it('leaves the methods of newer browsers alone', async () => {
  await import('./array-methods.ts');
  for (const [name, descriptor] of native) {
    expect(Object.getOwnPropertyDescriptor(Array.prototype, name)).toEqual(descriptor);
  }
});
