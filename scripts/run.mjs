// The two commands and their smaller siblings: `node scripts/run.mjs start|test|program|dev|seed|package|bench`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBrowser, ensureOpenssl } from './test-prerequisites.mjs';
import {
  ensureBuilt,
  ensureInstalled,
  runInForeground,
  requireNode,
  root,
  printLine,
  toolEnvironment,
} from './bootstrap.mjs';

const [task, ...args] = process.argv.slice(2);
/** Settings kept in a file, if there is one. */
const environmentFile = () => (existsSync(join(root, '.env')) ? ['--env-file=.env'] : []);
const scriptPath = (...path) => join(root, 'scripts', ...path);

/** The program itself, with the words behind its name. */
function runProgram(programArgs) {
  ensureInstalled();
  ensureBuilt();
  const main = join(root, 'dist', 'server', 'main.mjs');
  const endWithParent = pathToFileURL(scriptPath('end-with-parent.mjs')).href;
  runInForeground(requireNode(), [
    ...environmentFile(),
    '--enable-source-maps',
    `--import=${endWithParent}`,
    main,
    ...programArgs,
  ]);
}

const tasks = {
  start: () => runProgram(args),
  program: () => runProgram(args),
  test() {
    ensureInstalled();
    ensureBrowser();
    ensureOpenssl();
    ensureBuilt();
    runInForeground(requireNode(), [scriptPath('run-tests.ts')]);
  },
  check() {
    ensureInstalled();
    runInForeground(requireNode(), [scriptPath('run-tests.ts'), 'check']);
  },
  dev() {
    ensureInstalled();
    const env = toolEnvironment();
    const children = [
      spawn(requireNode(), [...environmentFile(), '--watch', join(root, 'server', 'main.ts')], {
        cwd: root,
        stdio: 'inherit',
        env,
      }),
      spawn('vite', ['client'], { cwd: root, stdio: 'inherit', env, shell: process.platform === 'win32' }),
    ];
    for (const child of children) child.on('exit', () => children.forEach((other) => other.kill()));
  },
  seed() {
    ensureInstalled();
    runInForeground(requireNode(), [...environmentFile(), scriptPath('seed', 'main.ts'), ...args]);
  },
  package() {
    ensureInstalled();
    ensureBuilt();
    runInForeground(requireNode(), [scriptPath('package', 'main.ts'), ...args]);
  },
  bench() {
    ensureInstalled();
    ensureBuilt();
    runInForeground(requireNode(), [scriptPath('bench', 'main.ts'), ...args]);
  },
};

const runTask = tasks[task];
if (!runTask) {
  printLine(`Pilihan: ${Object.keys(tasks).join(', ')}`);
  process.exit(1);
}
await runTask();
