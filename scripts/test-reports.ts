/** The results of a step of `npm test`; names of files are relative to the top folder. */
export type TestReport = { passed: number; failed: number; tests: TestResult[]; errorsOutsideTests: string[] };
export type TestResult = { file: string; title: string; durationMs: number; errors: string[] };

type PlaywrightSuite = {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { results: PlaywrightResult[] }[] }[];
};
type PlaywrightResult = { duration: number; errors?: { message?: string }[] };
type PlaywrightReport = {
  suites: PlaywrightSuite[];
  errors?: { message?: string }[];
  stats: { expected: number; unexpected: number; flaky: number };
};

/** The JSON report of Playwright. A test that passed only at the second try counts as failed. */
export function readPlaywrightReport(content: string): TestReport {
  const { suites, stats, errors = [] } = JSON.parse(content) as PlaywrightReport;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    tests: suites.flatMap((suite) => readSuite(suite, [])),
    errorsOutsideTests: messagesOf(errors),
  };
}

const messagesOf = (errors: { message?: string }[]): string[] => errors.map(({ message }) => message ?? 'no message');

function readSuite({ suites = [], specs = [] }: PlaywrightSuite, describeTitles: string[]): TestResult[] {
  const own = specs.map(({ title, file, tests }) => {
    const results = tests.flatMap((test) => test.results);
    return {
      file: `e2e/${file}`,
      title: [...describeTitles, title].join(' '),
      durationMs: results.reduce((sumMs, { duration }) => sumMs + duration, 0),
      errors: results.flatMap(({ errors = [] }) => messagesOf(errors)),
    };
  });
  return [...own, ...suites.flatMap((suite) => readSuite(suite, [...describeTitles, suite.title]))];
}
