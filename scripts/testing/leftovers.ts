import { afterAll, expect } from 'vitest';
import { findLeftovers, readGlobalState } from './global-state.ts';

// The test files of a worker share its globals. This fails the file that changes one, instead of a later file that meets it.
const before = readGlobalState();
afterAll(() => {
  expect(findLeftovers(before, readGlobalState()), 'what this file changed and did not undo').toEqual([]);
});
