// The two commands and their smaller siblings: `node scripts/run.mjs start|test|program|dev|seed|package|bench`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser, ensureOpenssl } from './browser.mjs';
import { runTests } from './run-tests.mjs';
import { ensureBuilt, ensureInstalled, handOver, requireNode, root, say, toolEnvironment } from './toolbox.mjs';

const [task, ...args] = process.argv.slice(2);
/** Settings kept in a file, if there is one. */
const environmentFile = () => (existsSync(join(root, '.env')) ? ['--env-file=.env'] : []);
const script = (...path) => join(root, 'scripts', ...path);

/** The program itself, with the words behind its name. */
function program(words) {
  ensureInstalled();
  ensureBuilt();
  const main = join(root, 'dist', 'server', 'main.mjs');
  handOver(requireNode(), [...environmentFile(), '--enable-source-maps', main, ...words]);
}

const tasks = {
  start: () => program(args),
  program: () => program(args),
  async test() {
    ensureInstalled();
    ensureBrowser();
    ensureOpenssl();
    ensureBuilt();
    process.exit(await runTests());
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
    handOver(requireNode(), [...environmentFile(), script('seed', 'main.ts'), ...args]);
  },
  package() {
    ensureInstalled();
    ensureBuilt();
    handOver(requireNode(), [script('package', 'main.ts'), ...args]);
  },
  bench() {
    ensureInstalled();
    ensureBuilt();
    handOver(requireNode(), [script('bench', 'main.ts'), ...args]);
  },
};

const chosen = tasks[task];
if (!chosen) {
  say(`Pilihan: ${Object.keys(tasks).join(', ')}`);
  process.exit(1);
}
await chosen();
