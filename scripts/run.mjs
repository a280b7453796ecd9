// The command behind every npm script: `node scripts/run.mjs start|test|check|e2e|program|dev|seed|package|bench`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { RUNTIME_FLAGS } from './runtime-flags.mjs';
import { ensureChromium, ensureTestPrograms } from './test-prerequisites.mjs';
import {
  endWithLauncher,
  ensureBuilt,
  ensureInstalled,
  printLine,
  requireNode,
  root,
  runInForeground,
  toolEnvironment,
} from './bootstrap.mjs';

const [task = '', ...args] = process.argv.slice(2);
/** Settings kept in a file, if there is one. */
const environmentFile = () => (existsSync(join(root, '.env')) ? ['--env-file=.env'] : []);
const scriptPath = (/** @type {string[]} */ ...path) => join(root, 'scripts', ...path);

/** The program itself, with the arguments behind its name. */
function runProgram() {
  ensureInstalled();
  ensureBuilt();
  const main = join(root, 'dist', 'server', 'main.mjs');
  const endWithParent = pathToFileURL(scriptPath('end-with-parent.mjs')).href;
  runInForeground(requireNode(), [
    ...environmentFile(),
    ...RUNTIME_FLAGS,
    '--enable-source-maps',
    `--import=${endWithParent}`,
    main,
    ...args,
  ]);
}

/**
 * The server from its sources and Vite in front of it; both restart or reload by themselves. `--inspect` and its like
 * reach the server's Node.
 */
function runDevelopment() {
  ensureInstalled();
  const port = process.env['PORT'] ?? '3000';
  const email = 'admin@pbb.local';
  const password = 'kata-sandi-dev';
  const env = {
    ...toolEnvironment(),
    // Never the real data, not even with a .env that names them: the environment wins over that file.
    DATA_DIR: process.env['DATA_DIR'] ?? './data-dev',
    HOST: '127.0.0.1',
    PORT: port,
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    API_TARGET: `http://127.0.0.1:${port}`,
  };
  printLine(`Data: ${env.DATA_DIR}. Masuk sebagai ${email} dengan password ${password};`);
  printLine(`dengan data contoh (DATA_DIR=${env.DATA_DIR} npm run seed): ratna@pbb.local, password kata-sandi-contoh.`);
  const inspectOptions = args.filter((arg) => arg.startsWith('--inspect'));
  const viteOptions = args.filter((arg) => !arg.startsWith('--inspect'));
  const server = spawn(
    requireNode(),
    [...environmentFile(), ...inspectOptions, '--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')],
    { cwd: root, stdio: ['inherit', 'pipe', 'inherit'], env },
  );
  createInterface({ input: server.stdout }).on('line', (line) => {
    // The address to open is Vite's, which prints it itself.
    if (!line.includes(' siap di http')) printLine(line);
  });
  const vite = spawn('vite', ['client', '--clearScreen', 'false', ...viteOptions], {
    cwd: root,
    stdio: 'inherit',
    env,
    shell: process.platform === 'win32',
  });
  const children = [server, vite];
  endWithLauncher(children);
  for (const child of children) child.on('exit', () => children.forEach((other) => other.kill()));
}

/** @type {Record<string, () => void>} */
const tasks = {
  start: runProgram,
  program: runProgram,
  dev: runDevelopment,
  test() {
    ensureInstalled();
    ensureTestPrograms();
    ensureBuilt();
    runInForeground(requireNode(), [scriptPath('run-tests.ts'), ...args]);
  },
  check() {
    ensureInstalled();
    runInForeground(requireNode(), [scriptPath('run-tests.ts'), 'check']);
  },
  e2e() {
    ensureInstalled();
    ensureChromium();
    ensureBuilt();
    runInForeground(requireNode(), [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'test', ...args]);
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
runTask();
