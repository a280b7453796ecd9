import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The shell needs a quarter less CPU time than the whole browser, which starts windows and profiles that no test uses. */
const PROGRAM_NAMES = ['chromium-headless-shell', 'chromium'];

/** The path of a Chromium that this machine has; undefined lets Playwright use its own. */
function findChromium(): string | undefined {
  if (process.env['CHROMIUM_PATH']) return process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return PROGRAM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const executablePath = findChromium();

/** Chromium as the tests start it: no sandbox (tests run as root in containers) and no call to any outside host. */
export const chromiumLaunch = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
