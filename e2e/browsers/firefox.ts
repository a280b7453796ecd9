import { launch } from 'puppeteer-core';
import { findFirefox } from './installed-browsers.mjs';
import { WINDOW, type Engine } from './driver.ts';

/** Debian's Firefox over WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const executablePath = findFirefox();
  if (!executablePath) throw new Error('firefox-esr is not installed');
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: WINDOW,
    extraPrefsFirefox: { 'intl.accept_languages': 'id' },
  });
  return {
    open: async () => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      return {
        goto: async (url) => void (await page.goto(url)),
        run: (fn, ...args) => page.evaluate(fn as never, ...args),
        click: (selector) => page.click(selector),
        type: (selector, text) => page.type(selector, text),
        chooseFile: async (selector, path) => {
          const input = await page.$<'input'>(selector as 'input');
          await input?.uploadFile(path);
        },
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}
