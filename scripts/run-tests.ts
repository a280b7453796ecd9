// `npm test` runs every step; `npm run check` runs the quick ones, with only the tests that a change can reach.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { endWithLauncher, printLine, root, toolEnvironment } from './bootstrap.mjs';
import { chooseChangedTests } from './changed-tests.ts';
import { otherBrowsers } from '../e2e/browsers/installed-browsers.mjs';
import { findNginx } from './testing/nginx.mjs';
import { readPlaywrightReport, type TestReport } from './test-reports.ts';

const SLOWEST_SHOWN = 10;
/** An error can hold a whole page; its beginning names the assertion, and its place follows within these lines. */
const ERROR_LINES_SHOWN = 12;
/** Test time of `npm run check`. Two workers and the static checks beside them need about as much in wall time. */
const CHECK_BUDGET_MS = 40_000;

type Step = {
  name: string;
  command: [string, ...string[]];
  env?: Record<string, string>;
  /** A step without a report counts as one test. */
  report?: { file: string; read: (content: string) => TestReport };
};

/** Steps that run one after the other. */
type Lane = Step[];
/** The lanes of a stage run side by side. The output of the last one appears at once, of the others step by step. */
type Stage = Lane[];

type StepResult = { name: string; passed: number; failed: number; seconds: number; report: TestReport | null };

const runningPrograms: ChildProcess[] = [];
let isStopped = false;

const reportFile = (name: string): string => join(root, '.cache', `report-${name}.json`);

const readReport = (content: string): TestReport => JSON.parse(content) as TestReport;

function vitestStep(name: string, reportName: string, ...args: string[]): Step {
  const file = reportFile(reportName);
  return {
    name,
    command: ['vitest', 'run', ...args],
    env: { TEST_REPORT: file },
    report: { file, read: readReport },
  };
}

const staticChecks: Lane[] = [
  // Several checkers would each work out the types that the files share: three times the processor time and memory.
  [{ name: 'types', command: ['tsc', '-b', '--builders', '1', '--checkers', '1'] }],
  [{ name: 'format', command: ['oxfmt', '--check'] }],
  [{ name: 'unused code', command: ['knip', '--no-progress'] }],
  [{ name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] }],
];

const unitProjects = ['--project', 'node', '--project', 'dom'];

const unitReports = ['server', 'client'];

const unitSteps = (seed: string): Lane => {
  const step = (name: string, report: string, project: string): Step =>
    vitestStep(name, report, '--project', project, `--sequence.seed=${seed}`);
  // The server's tests run again on a real PostgreSQL.
  return [
    step('server', 'server', 'node'),
    step('server on PostgreSQL', 'postgres', 'postgres'),
    step('client', 'client', 'dom'),
  ];
};

const [installedBrowsers, missingBrowsers] = [true, false].map((isWanted) =>
  otherBrowsers.filter(({ isInstalled }) => isInstalled() === isWanted),
) as [typeof otherBrowsers, typeof otherBrowsers];

/** Firefox and WebKit, as far as this machine has them. */
const browserSteps: Lane =
  installedBrowsers.length === 0
    ? []
    : [vitestStep(installedBrowsers.map(({ engine }) => engine).join(', '), 'browsers', '--project', 'browsers')];

const testStages = (seed: string): Stage[] => [
  staticChecks,
  [unitSteps(seed)],
  // The end-to-end tests wait for the browser half of the time; the other steps run meanwhile.
  [
    [vitestStep('single binary, npm start', 'built', '--project', 'built'), ...browserSteps],
    [
      {
        name: 'end to end',
        command: ['playwright', 'test', '--reporter=list,json'],
        env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile('e2e') },
        report: { file: reportFile('e2e'), read: readPlaywrightReport },
      },
    ],
  ],
];

/** The order of the unit tests: `npm test -- --seed=N` repeats that of another run. */
function readSeed(): string {
  const [argument] = process.argv.slice(2);
  if (argument === undefined) return String(randomInt(1_000_000));
  const [, given] = /^--seed=(\d+)$/.exec(argument) ?? [];
  if (given === undefined) throw new Error(`npm test knows --seed=N, and not ${argument}`);
  return given;
}

/** The commit from which changes are counted: the main branch, or the last commit where there is no such branch. */
function changeBase(): string {
  const isCommit = (name: string): boolean =>
    spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: root }).status === 0;
  return ['main', 'origin/main'].find(isCommit) ?? 'HEAD';
}

/** Paths that differ from the base, and new files that Git does not ignore. */
function changedFiles(base: string): string[] {
  const git = (...args: string[]): string[] =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Durations of test files in the last `npm test`; a file that was not measured counts as a second. */
function readFileDurationsMs(): Map<string, number> {
  const durations = new Map<string, number>();
  for (const file of unitReports.map(reportFile).filter((path) => existsSync(path))) {
    for (const test of readReport(readFileSync(file, 'utf8')).tests) {
      durations.set(test.file, (durations.get(test.file) ?? 0) + test.durationMs);
    }
  }
  return durations;
}

/** The static checks, and as many tests of the change as fit into a minute on two cores. */
function checkStages(): Stage[] {
  const paths = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.split('\n');
  const files = paths
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const durations = readFileDurationsMs();
  const { tests, leftOut } = chooseChangedTests({
    files,
    changed: changedFiles(changeBase()),
    isTest: (path) => /\.test\.tsx?$/.test(path),
    durationMsOf: (path) => durations.get(path) ?? 1000,
    budgetMs: CHECK_BUDGET_MS,
  });
  if (leftOut > 0) {
    printLine(
      `The change reaches ${tests.length + leftOut} test files. The ${tests.length} nearest run; npm test runs all.`,
    );
  }
  if (tests.length === 0) printLine('No unit test imports a changed file.');
  return [
    tests.length === 0
      ? staticChecks
      : [...staticChecks, [vitestStep('tests of what changed', 'changed', ...unitProjects, ...tests)]],
  ];
}

function runProgram({ command: [program, ...args], env }: Step, isStreamed: boolean): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', isStreamed ? 'inherit' : 'pipe', isStreamed ? 'inherit' : 'pipe'],
      env: { ...toolEnvironment(), ...env },
      shell: process.platform === 'win32',
    });
    runningPrograms.push(child);
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', (error) => {
      printLine(`${program}: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      resolve(code ?? 1);
    });
  });
}

async function runStep(step: Step, isStreamed: boolean): Promise<StepResult> {
  if (step.report) rmSync(step.report.file, { force: true });
  if (isStreamed) printLine(`\n== ${step.name}`);
  const startedAtMs = Date.now();
  const code = await runProgram(step, isStreamed);
  const seconds = (Date.now() - startedAtMs) / 1000;
  printLine(`== ${step.name}: ${code === 0 ? 'ok' : 'FAILED'} after ${seconds.toFixed(1)} s`);
  const isReported = step.report !== undefined && existsSync(step.report.file);
  const report = isReported && step.report ? step.report.read(readFileSync(step.report.file, 'utf8')) : null;
  const { passed, failed } = report ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  // A step can fail outside its tests: a worker dies, or a server does not start.
  return { name: step.name, passed, failed: code !== 0 && failed === 0 ? 1 : failed, seconds, report };
}

function printSummary(results: StepResult[], { totalSeconds, notes }: { totalSeconds: number; notes: string[] }): void {
  const nameWidth = Math.max(...results.map(({ name }) => name.length));
  const columns = (...[state, name, passed, failed, seconds]: [string, string, string, string, string]): string =>
    `${state.padEnd(4)}  ${name.padEnd(nameWidth)}  ${passed.padStart(6)}  ${failed.padStart(6)}  ${seconds.padStart(8)}`;
  printLine(`\n${columns('', 'step', 'passed', 'failed', 'seconds')}`);
  for (const { name, passed, failed, seconds } of results) {
    printLine(columns(failed === 0 ? 'ok' : 'FAIL', name, String(passed), String(failed), seconds.toFixed(1)));
  }
  for (const note of notes) printLine(note);
  const slowest = results
    .flatMap(({ report }) => report?.tests ?? [])
    .toSorted((one, other) => other.durationMs - one.durationMs)
    .slice(0, SLOWEST_SHOWN);
  if (slowest.length > 0) printLine('\nslowest tests');
  for (const { file, title, durationMs } of slowest) {
    printLine(`${(durationMs / 1000).toFixed(1).padStart(6)} s  ${file}: ${title}`);
  }
  printFailures(results);
  const sum = (count: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[count], 0);
  printLine(`\nall steps: ${totalSeconds.toFixed(0)} s`);
  // CI reads this last line.
  printLine(`${sum('passed')} passed, ${sum('failed')} failed`);
}

/** Once more at the end, since the output of a step can be longer than what a terminal or a CI server keeps. */
function printFailures(results: StepResult[]): void {
  const failures = results.flatMap(({ report }) => [
    ...(report?.errorsOutsideTests ?? []),
    ...(report?.tests ?? []).flatMap(({ file, title, errors }) => errors.map((error) => `${file}: ${title}\n${error}`)),
  ]);
  if (failures.length > 0) printLine('\nfailures');
  for (const failure of failures) {
    const lines = stripVTControlCharacters(failure).split('\n');
    printLine(`  ${lines.slice(0, ERROR_LINES_SHOWN).join('\n    ')}`);
  }
}

/** @returns the exit code: 0 only if every step passed */
async function runStages(stages: Stage[], notes: string[]): Promise<number> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const startedAtMs = Date.now();
  const results: StepResult[] = [];
  // A failed stage does not hide the failures of the next one.
  for (const stage of stages) {
    const runLane = async (lane: Lane, index: number): Promise<void> => {
      for (const step of lane) {
        if (isStopped) return;
        results.push(await runStep(step, index === stage.length - 1));
      }
    };
    await Promise.all(stage.map(runLane));
  }
  printSummary(results, { totalSeconds: (Date.now() - startedAtMs) / 1000, notes });
  return !isStopped && results.every(({ failed }) => failed === 0) ? 0 : 1;
}

endWithLauncher(runningPrograms, () => {
  isStopped = true;
});
if (process.argv[2] === 'check') {
  process.exitCode = await runStages(checkStages(), []);
} else {
  const seed = readSeed();
  const notTried = missingBrowsers.map(
    ({ engine, packages }) => `--    ${engine}: not tried here, it needs Debian's ${packages.join(' and ')}`,
  );
  if (findNginx() === undefined) notTried.push("--    nginx: not tried here, it needs Debian's nginx");
  process.exitCode = await runStages(testStages(seed), [
    ...notTried,
    `\nThe unit tests ran in the order of seed ${seed}; npm test -- --seed=${seed} repeats it.`,
  ]);
}
