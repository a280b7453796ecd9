import { getHeapStatistics } from 'node:v8';
import { ListFileError } from './grid.ts';

const STEPS_BETWEEN = 1000;

let heapBytesMax = Number.POSITIVE_INFINITY;

/** Limits the memory of this thread. It belongs to one reading: the heap of another thread holds more. */
export function limitMemory(bytes: number): void {
  heapBytesMax = bytes;
}

/**
 * Refuses a file that needs too much memory. V8's own limit of a thread is no protection: where memory grows fast, it ends
 * the whole process. So everything that grows with a file asks here between its steps.
 * @throws ListFileError
 */
export function checkMemory(): void {
  if (getHeapStatistics().used_heap_size > heapBytesMax) throw new ListFileError('too_large', 'too much memory');
}

/** @returns a function for the end of each small step; it checks the memory once in a thousand steps */
export function createMemoryCheck(): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps % STEPS_BETWEEN === 0) checkMemory();
  };
}
