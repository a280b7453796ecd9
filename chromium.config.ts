import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';

const SHELL = 'chromium-headless-shell';

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @returns the path of a Chromium that this machine has; undefined lets Playwright use its own */
function findChromium(names: string[]): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  if (given && (names.includes(SHELL) || !given.includes('headless'))) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Chromium as the tests start it: no sandbox (tests run as root in containers) and no call to any outside host. The shell
 * needs a quarter less CPU time than the whole browser, which starts windows and profiles that no test uses.
 */
export const chromiumLaunch: LaunchOptions = launchOptions([SHELL, 'chromium'], {});

/** The same, but never the shell, which permits no notifications. */
export const wholeChromiumLaunch: LaunchOptions = launchOptions(['chromium'], { channel: 'chromium' });

function launchOptions(names: string[], ifNotFound: LaunchOptions): LaunchOptions {
  const executablePath = findChromium(names);
  return { ...(executablePath ? { executablePath } : ifNotFound), args: browserArguments };
}
