import { expect, type Page } from '@playwright/test';
import axe, { type RunOnly } from 'axe-core';

const WCAG_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/**
 * A violation that exists only while a colour or a size is still changing is gone by then; a real one stays.
 * One check of a long page may take 20 seconds on a busy machine.
 */
const RETRY_OPTIONS = { timeout: 60_000, intervals: [0, 300, 1000, 3000] };

/** The rules whose result depends on the colour scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * WCAG 2.2 AA, as far as a program can tell, light and dark, of all that is open: menus and dialogs too.
 * Of the dark page only the colours are checked: the rest has not changed. The page is light afterwards.
 */
export async function expectAccessible(page: Page, pageName: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await showColorScheme(page, colorScheme);
    if (colorScheme === 'light')
      await expectNoViolations(page, `${pageName}, light`, { type: 'tag', values: WCAG_TAGS });
    else await expectNoViolations(page, `${pageName}, dark`, { type: 'rule', values: COLOR_RULES });
  }
  await showColorScheme(page, 'light');
}

async function showColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The handbook has none; its style sheet follows at once.
  if ((await page.locator('script').count()) === 0) return;
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
}

async function expectNoViolations(page: Page, pageName: string, rules: RunOnly): Promise<void> {
  await expect(async () => {
    expect(await findViolations(page, rules), `accessibility of ${pageName}`).toEqual([]);
  }).toPass(RETRY_OPTIONS);
}

/** Loads axe once into a document; its adapter for Playwright does so twice for each check, and again in a new page. */
async function findViolations(page: Page, runOnly: RunOnly): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    const { axe: loadedAxe } = window as unknown as { axe: typeof axe };
    const { violations } = await loadedAxe.run(document, { resultTypes: ['violations'], runOnly: rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }, runOnly);
}

/** Nothing reaches out of the window to the side, and no words of a button or a choice are cut off. */
export async function expectNoOverflow(page: Page, pageName: string): Promise<void> {
  await expect(async () => expect(await findOverflows(page), `what does not fit on ${pageName}`).toEqual([])).toPass(
    RETRY_OPTIONS,
  );
}

function findOverflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width)
      found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.body.querySelectorAll('*')) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (box.right > width + 1 || box.left < -1) found.push(`${element.tagName} ${element.textContent.slice(0, 40)}`);
    }
    for (const label of document.querySelectorAll('button *, a *, button, a')) {
      const style = getComputedStyle(label);
      const isClipped =
        style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis' && style.display !== '-webkit-box';
      if (isClipped && label.clientWidth > 1 && label.scrollWidth > label.clientWidth + 1) {
        found.push(`the words ${label.textContent} are cut off`);
      }
    }
    for (const select of document.querySelectorAll('select')) {
      if (!select.checkVisibility()) continue;
      const style = getComputedStyle(select);
      const availableWidth = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const measuringSpan = document.createElement('span');
      measuringSpan.style.cssText = `position:absolute;visibility:hidden;white-space:pre;font:${style.font}`;
      measuringSpan.textContent = select.selectedOptions[0]?.text ?? '';
      document.body.append(measuringSpan);
      const needed = measuringSpan.getBoundingClientRect().width;
      measuringSpan.remove();
      if (needed > availableWidth + 1) found.push(`the choice ${select.selectedOptions[0]?.text} is cut off`);
    }
    return found;
  });
}
