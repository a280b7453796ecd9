import { relative } from 'node:path';

export type TestReport = { passed: number; failed: number; tests: TestDuration[] };
export type TestDuration = { file: string; title: string; durationMs: number };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; assertionResults: { fullName: string; duration?: number | null }[] }[];
};

/** The JSON report of Vitest, with paths relative to `root`. */
export function readVitestReport(content: string, root: string): TestReport {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(content) as VitestReport;
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    tests: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        file: relative(root, name),
        title: fullName,
        durationMs: duration ?? 0,
      })),
    ),
  };
}

type PlaywrightSuite = {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { results: { duration: number }[] }[] }[];
};
type PlaywrightReport = {
  suites: PlaywrightSuite[];
  stats: { expected: number; unexpected: number; flaky: number };
};

/** The JSON report of Playwright. A test that passed only at the second try counts as failed. */
export function readPlaywrightReport(content: string): TestReport {
  const { suites, stats } = JSON.parse(content) as PlaywrightReport;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    tests: suites.flatMap((suite) => readSuite(suite, [])),
  };
}

function readSuite({ suites = [], specs = [] }: PlaywrightSuite, describeTitles: string[]): TestDuration[] {
  const own = specs.map(({ title, file, tests }) => ({
    file: `e2e/${file}`,
    title: [...describeTitles, title].join(' '),
    durationMs: tests.flatMap(({ results }) => results).reduce((sumMs, { duration }) => sumMs + duration, 0),
  }));
  return [...own, ...suites.flatMap((suite) => readSuite(suite, [...describeTitles, suite.title]))];
}
