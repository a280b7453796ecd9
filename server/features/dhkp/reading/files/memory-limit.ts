import { getHeapStatistics } from 'node:v8';
import { ListFileError } from './grid.ts';

/** The memory of one reading. */
const HEAP_BYTES_MAX = 512 * 2 ** 20;
const STEPS_BETWEEN = 1000;

/**
 * Refuses a file that needs too much memory. V8's own limit of a thread is no protection: where memory grows fast, it ends
 * the whole process. So everything that grows with a file asks here between its steps.
 * @throws ListFileError
 */
export function checkMemory(): void {
  if (getHeapStatistics().used_heap_size > HEAP_BYTES_MAX) throw new ListFileError('too_large', 'too much memory');
}

/** @returns a function for the end of each small step; it checks the memory once in a thousand steps */
export function createMemoryCheck(): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % STEPS_BETWEEN === 0) checkMemory();
  };
}
