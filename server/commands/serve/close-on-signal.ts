import { fstatSync } from 'node:fs';
import { reportCommandError } from '../terminal/command.ts';

/** After this time the process exits in any case (docs/requirements.md R-RUN-7: within 5 seconds). */
const CLOSE_WITHIN_MS = 4500;

/** Closes the server and ends the process at the signals of R-RUN-7, once. */
export function closeOnSignal(close: () => Promise<void>): void {
  let closing = false;
  const stop = (): void => {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(0), CLOSE_WITHIN_MS).unref();
    close().then(
      () => process.stdout.write('Server dihentikan.\n', () => process.exit(0)),
      (error: unknown) => process.exit(reportCommandError(error)),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The terminal was closed. Windows allows ten seconds then.
  process.on('SIGHUP', () => {
    if (!outlivesTerminal()) stop();
  });
}

/**
 * Whether the server was started with `nohup`. Node resets the ignored signal that `nohup` sets, so only the streams tell:
 * no terminal for input, and output into a file.
 */
function outlivesTerminal(): boolean {
  if (process.platform === 'win32' || process.stdin.isTTY || process.stdout.isTTY) return false;
  try {
    const output = fstatSync(process.stdout.fd);
    return output.isFile() || output.isCharacterDevice();
  } catch {
    return false;
  }
}
