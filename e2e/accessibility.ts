import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** What is wrong only while a colour or a size is still changing is gone by then; a real fault stays. */
const SETTLED = { timeout: 15_000, intervals: [0, 300, 1000, 3000] };

/** WCAG 2.2 AA, as far as a program can tell. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await expect(async () => {
    const { violations } = await new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .withTags(RULES)
      .analyze();
    const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    expect(faults, `accessibility of ${where}`).toEqual([]);
  }).toPass(SETTLED);
}

/** Nothing reaches out of the window to the side, and no words of a button or a choice are cut off. */
export async function expectFits(page: Page, where: string): Promise<void> {
  await expect(async () => expect(await misfits(page), `what does not fit on ${where}`).toEqual([])).toPass(SETTLED);
}

function misfits(page: Page): Promise<string[]> {
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
      const cuts =
        style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis' && style.display !== '-webkit-box';
      if (cuts && label.clientWidth > 1 && label.scrollWidth > label.clientWidth + 1) {
        found.push(`the words ${label.textContent} are cut off`);
      }
    }
    for (const select of document.querySelectorAll('select')) {
      const style = getComputedStyle(select);
      const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const ruler = document.createElement('span');
      ruler.style.cssText = `position:absolute;visibility:hidden;white-space:pre;font:${style.font}`;
      ruler.textContent = select.selectedOptions[0]?.text ?? '';
      document.body.append(ruler);
      const needed = ruler.getBoundingClientRect().width;
      ruler.remove();
      if (needed > room + 1) found.push(`the choice ${select.selectedOptions[0]?.text} is cut off`);
    }
    return found;
  });
}
