import { afterEach, expect, vi } from 'vitest';
import { checkAnswers, takeDifferences } from './answer-check.ts';
import { shared, testServer } from './postgres/test-server.ts';

// The test files of a worker share the packages; each file starts with its own copy of our modules.
vi.resetModules();

if (testServer !== '') {
  // They stay for the next files.
  shared();
  // The client of PostgreSQL warns once of statements side by side on one connection; it is to refuse them.
  process.throwDeprecation = true;
}

checkAnswers();
afterEach(() => {
  expect(takeDifferences(), 'answers that differ from the API documentation').toEqual([]);
});
