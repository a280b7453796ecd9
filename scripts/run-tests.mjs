// Everything `npm test` runs, one step after the other; every step runs even if one before it failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, say, toolEnvironment } from './toolbox.mjs';

const results = join(root, '.cache');
const unitReport = join(results, 'unit.json');
const packageReport = join(results, 'package.json');
const e2eReport = join(results, 'e2e.json');

/** @param {string} report */
const vitest = (report, /** @type {string[]} */ ...projects) => ({
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
  { name: 'unit, API, sockets', ...vitest(unitReport, 'node', 'dom') },
  { name: 'single binary', ...vitest(packageReport, 'package') },
  {
    name: 'end to end',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: e2eReport },
    report: e2eReport,
    count: ({ stats }) => {
      if (stats.flaky > 0) say(`${stats.flaky} passed only at the second time`);
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
    },
  },
];

function run([program, ...args], env = {}) {
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
    say(`\n== ${name}`);
    if (report) rmSync(report, { force: true });
    const startedAt = Date.now();
    const code = await run(command, env);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    let counted = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
    if (report && existsSync(report)) {
      counted = count(JSON.parse(readFileSync(report, 'utf8')));
      // A step that fails outside its tests (a worker that dies, a server that does not start) has failed all the same.
      if (code !== 0 && counted.failed === 0) counted.failed = 1;
    }
    total.passed += counted.passed;
    total.failed += counted.failed;
    summary.push(
      `${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${counted.passed} passed, ${counted.failed} failed, ${seconds} s)`,
    );
  }
  say(`\n${summary.join('\n')}\n`);
  say(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > steps.length ? 0 : 1;
}
