// Everything `npm test` runs, one step after the other; every step runs even if one before it failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, printLine, toolEnvironment } from './bootstrap.mjs';

const results = join(root, '.cache');
const unitReport = join(results, 'unit.json');
const packageReport = join(results, 'package.json');
const e2eReport = join(results, 'e2e.json');

/** @param {string} report */
const vitestStep = (report, /** @type {string[]} */ ...projects) => ({
  command: [
    'vitest',
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  report,
  count: (result) => ({ passed: result.numPassedTests, failed: result.numFailedTests }),
});

const steps = [
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'unit, API, sockets', ...vitestStep(unitReport, 'node', 'dom') },
  { name: 'single binary', ...vitestStep(packageReport, 'package') },
  {
    name: 'end to end',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: e2eReport },
    report: e2eReport,
    count: ({ stats }) => {
      if (stats.flaky > 0) printLine(`${stats.flaky} passed only at the second time`);
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
    },
  },
];

function runStep([program, ...args], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...toolEnvironment(), ...env },
      shell: process.platform === 'win32',
    });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** @returns {Promise<number>} the exit code: 0 only if every step passed and tests were really run */
export async function runTests() {
  mkdirSync(results, { recursive: true });
  const total = { passed: 0, failed: 0 };
  const summary = [];
  for (const { name, command, env, report, count } of steps) {
    printLine(`\n== ${name}`);
    if (report) rmSync(report, { force: true });
    const startedAt = Date.now();
    const code = await runStep(command, env);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    let counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
    if (report && existsSync(report)) {
      counts = count(JSON.parse(readFileSync(report, 'utf8')));
      // A step that fails outside its tests (a worker that dies, a server that does not start) has failed all the same.
      if (code !== 0 && counts.failed === 0) counts.failed = 1;
    }
    total.passed += counts.passed;
    total.failed += counts.failed;
    summary.push(
      `${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${counts.passed} passed, ${counts.failed} failed, ${seconds} s)`,
    );
  }
  printLine(`\n${summary.join('\n')}\n`);
  printLine(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > steps.length ? 0 : 1;
}
