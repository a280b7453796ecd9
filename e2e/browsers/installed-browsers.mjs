// Firefox and WebKit as Debian packages them, for the tests in e2e/browsers. Plain JavaScript: it runs before anything is
// installed.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @param {string} name */
export const findOnPath = (name) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync);

export const findFirefox = () => findOnPath('firefox-esr');

/** It stands beside its library: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser. */
function findMiniBrowser() {
  const list = (/** @type {string} */ folder) => (existsSync(folder) ? readdirSync(folder) : []);
  return list('/usr/lib')
    .filter((name) => name.endsWith('-linux-gnu'))
    .flatMap((name) => list(join('/usr/lib', name)).map((library) => join('/usr/lib', name, library, 'MiniBrowser')))
    .find((file) => file.includes('webkit2gtk-') && existsSync(file));
}

/** WebKitGTK's own browser, the program that drives it, and a screen for it. */
export function findWebKit() {
  const [driver, screen] = [findOnPath('WebKitWebDriver'), findOnPath('Xvfb')];
  const browser = findMiniBrowser();
  return driver && screen && browser ? { driver, screen, browser } : undefined;
}

/** @type {{ engine: 'Firefox' | 'WebKit', packages: string[], isInstalled: () => boolean }[]} */
export const otherBrowsers = [
  { engine: 'Firefox', packages: ['firefox-esr'], isInstalled: () => findFirefox() !== undefined },
  { engine: 'WebKit', packages: ['webkit2gtk-driver', 'xvfb'], isInstalled: () => findWebKit() !== undefined },
];
