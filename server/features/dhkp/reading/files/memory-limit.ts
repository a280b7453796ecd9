import { getHeapStatistics } from 'node:v8';
import { ListFileError } from './grid.ts';

const STEPS_BETWEEN = 1000;

let heapBytesMax = Number.POSITIVE_INFINITY;

/** Limits the memory of this process. It belongs to one reading: the heap of the server holds more. */
export function limitMemory(bytes: number): void {
  heapBytesMax = bytes;
}

/**
 * Refuses a file that needs too much memory, so that V8 need not end the process, which takes seconds and may leave a core
 * dump. Everything that grows with a file asks here between its steps.
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
