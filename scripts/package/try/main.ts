import { printLine } from '../../bootstrap.mjs';
import { clockCase, smokeCases } from './cases.ts';
import { SmokeState } from './smoke-state.ts';
import { createNativeHost } from './native-host.ts';
import type { ProgramHost } from './program-host.ts';
import { requireWineChroot } from './wine-chroot.ts';
import { createWineHost } from './wine-host.ts';

/** Runs all cases against one binary: `main.ts native FILE`, or `main.ts wine FILE CACHE` in namespaces of its own. */

function createHost([kind, binary = '', cache = '']: string[]): ProgramHost {
  return kind === 'wine' ? createWineHost(requireWineChroot(cache), binary) : createNativeHost(binary);
}

/** The output of a server may have many lines. */
const SHOWN_MAX = 1500;
const cases = [...smokeCases, clockCase];

async function main(): Promise<number> {
  const state = new SmokeState(createHost(process.argv.slice(2)));
  const endEarly = (): void => {
    state.close();
    process.exit(1);
  };
  // The launcher holds the other end of this pipe, so it closes also when the launcher is killed.
  process.stdin.on('end', endEarly).resume();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endEarly);
  let failedCount = 0;
  let skippedCount = 0;
  try {
    for (const { name, run } of cases) {
      const startedAt = performance.now();
      const outcome = await run(state).then(
        (reason) => (reason === undefined ? 'ok' : `TIDAK DICOBA: ${reason}`),
        (error: unknown) => {
          failedCount += 1;
          return `GAGAL: ${(error instanceof Error ? error.message : String(error)).slice(0, SHOWN_MAX)}`;
        },
      );
      if (outcome.startsWith('TIDAK')) skippedCount += 1;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
      const [word = '', ...rest] = outcome.split(': ');
      printLine(
        `${word.padEnd(12)} ${seconds} s  ${name}${rest.length > 0 ? `\n${' '.repeat(16)}${rest.join(': ')}` : ''}`,
      );
    }
  } finally {
    state.close();
  }
  const skipped = skippedCount > 0 ? `, ${skippedCount} tidak dicoba` : '';
  printLine(`${cases.length - failedCount - skippedCount} dari ${cases.length} baik, ${failedCount} gagal${skipped}.`);
  return failedCount === 0 ? 0 : 1;
}

// Programs that a failed case left behind must not keep this process.
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    printLine(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
