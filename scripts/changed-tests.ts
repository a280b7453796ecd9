import { importsOf, type SourceFile } from './imports.ts';

type Options = {
  files: readonly SourceFile[];
  /** Paths from the root of the project. */
  changed: readonly string[];
  isTest: (path: string) => boolean;
  /** The measured or estimated duration of a test file. */
  durationMsOf: (path: string) => number;
  budgetMs: number;
};

/**
 * Chooses the tests of a change: the changed tests, then the tests that import a changed file, directly or through other
 * files. The nearest come first, until the budget is used. A change near the root of the imports reaches most tests, and
 * a check after every save must stay short.
 * @returns the tests to run, and the number of further tests that the change can reach
 */
export function chooseChangedTests({ files, changed, isTest, durationMsOf, budgetMs }: Options): {
  tests: string[];
  leftOut: number;
} {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file.path]);
  }
  // Breadth first, so that the order is the distance.
  const reached = new Set(changed);
  for (const path of reached) {
    for (const importer of importers.get(path) ?? []) reached.add(importer);
  }
  const reachable = [...reached].filter(isTest);
  let usedMs = 0;
  const tests = reachable.filter((path, index) => {
    usedMs += durationMsOf(path);
    return index === 0 || usedMs <= budgetMs;
  });
  return { tests, leftOut: reachable.length - tests.length };
}
