import { join } from 'node:path';

/**
 * The program that tests start, as one file: it starts in a sixth of the CPU time that its sources need. From this folder
 * it finds its resources as they are found from the sources. scripts/bundle-test-program.ts makes it before the tests.
 */
export const PROGRAM_FILE = join(process.cwd(), '.cache', 'program', 'main.mjs');

/** The folder in which Node keeps compiled modules, so that a start does not compile them again. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(process.cwd(), '.cache', 'node-compile') };

/** `test-query-worker.ts` as one file. Threads that read TypeScript at the same time can end the process; see vitest.config.ts. */
export const TEST_QUERIES_FILE = join(process.cwd(), '.cache', 'test-queries', 'main.mjs');
