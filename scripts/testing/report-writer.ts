import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { TestReport, TestResult } from '../test-reports.ts';

type RunError = { message: string; stack?: string; cause?: unknown };

/**
 * Writes a `TestReport` to a file. Vitest's own JSON says nothing of errors outside of tests: a worker that died, or a hook
 * of a group of tests that failed.
 */
export class ReportWriter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly RunError[]): void {
    const cases = modules.flatMap(({ children }) => [...children.allTests()]);
    const count = (state: string): number => cases.filter((test) => test.result().state === state).length;
    const report: TestReport = {
      passed: count('passed'),
      failed: count('failed') + count('pending'),
      tests: cases.map(describeCase),
      errorsOutsideTests: [
        ...unhandledErrors.map(describeError),
        ...modules.flatMap((module) =>
          [module, ...module.children.allSuites()].flatMap((group) =>
            group.errors().map((error) => `${module.relativeModuleId}: ${describeError(error)}`),
          ),
        ),
      ],
    };
    writeFileSync(this.#file, JSON.stringify(report));
  }
}

function describeCase(test: TestCase): TestResult {
  const { state, errors = [] } = test.result();
  return {
    file: test.module.relativeModuleId,
    title: test.fullName,
    durationMs: test.diagnostic()?.duration ?? 0,
    errors: state === 'pending' ? ['did not end'] : errors.map(({ message, stack }) => stack ?? message),
  };
}

/** The cause of a worker's error tells which file it ran. */
const describeError = ({ message, stack, cause }: RunError): string =>
  [stack ?? message, ...(cause === undefined ? [] : [describeError(cause as RunError)])].join('\n');
