import { describe, expect, it } from 'vitest';
import { chooseChangedTests } from './changed-tests.ts';

const files = [
  { path: 'shared/money.ts', text: '' },
  { path: 'shared/money.test.ts', text: "import { add } from './money.ts';" },
  { path: 'server/service.ts', text: "import { add } from '#shared/money.ts';" },
  { path: 'server/service.test.ts', text: "import { create } from './service.ts';" },
  { path: 'client/page.tsx', text: "import { format } from './format.ts';" },
  { path: 'client/page.test.tsx', text: "import { Page } from './page.tsx';" },
];
const choose = (changed: string[], budgetMs = Infinity) =>
  chooseChangedTests({
    files,
    changed,
    isTest: (path) => /\.test\.tsx?$/.test(path),
    durationMsOf: () => 1000,
    budgetMs,
  });

describe('chooseChangedTests', () => {
  it('chooses the tests that import a changed file, the nearest first', () => {
    expect(choose(['shared/money.ts'])).toEqual({
      tests: ['shared/money.test.ts', 'server/service.test.ts'],
      leftOut: 0,
    });
  });

  it('chooses a changed test itself and nothing else', () => {
    expect(choose(['client/page.test.tsx'])).toEqual({ tests: ['client/page.test.tsx'], leftOut: 0 });
  });

  it('stops at the budget and counts the tests that it leaves out', () => {
    expect(choose(['shared/money.ts'], 1500)).toEqual({ tests: ['shared/money.test.ts'], leftOut: 1 });
  });

  it('chooses one test even when it exceeds the budget', () => {
    expect(choose(['shared/money.ts'], 10)).toEqual({ tests: ['shared/money.test.ts'], leftOut: 1 });
  });

  it('chooses nothing for a file that no test imports', () => {
    expect(choose(['README.md'])).toEqual({ tests: [], leftOut: 0 });
  });
});
