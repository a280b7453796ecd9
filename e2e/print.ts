import { expect, type Page } from '@playwright/test';

/** The page as paper shows it. */
export async function expectPrintable(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  // Scripts hear of an emulated medium a frame later than the styles. Before a real print they have `beforeprint`.
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  expect(await findLowContrastTexts(page), 'text that is not dark on light').toEqual([]);
  expect(await findBrokenWords(page), 'words broken in the middle').toEqual([]);
}

/** Every text that paper would show pale, or on a dark ground. */
function findLowContrastTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    /** 0 is black, 1 is white; null is see-through. */
    const lightness = (color: string): number | null => {
      if (!canvas) throw new Error('no canvas');
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return alpha < 128 ? null : (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    };
    const backgroundLightness = (element: Element | null): number => {
      if (!element) return 1;
      return lightness(getComputedStyle(element).backgroundColor) ?? backgroundLightness(element.parentElement);
    };
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent?.trim();
      // The number on a coloured slice is white on purpose; the table beside it says the same.
      if (!text || !element?.checkVisibility() || element.closest('[aria-hidden="true"]')) continue;
      const textLightness = lightness(getComputedStyle(element).color) ?? 1;
      if (textLightness > 0.4 || backgroundLightness(element) < 0.85) found.push(text);
    }
    return found;
  });
}

/** Every ordinary word that goes on in the next line without a hyphen. */
export function findBrokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      // An element one pixel wide is for screen readers only.
      if (!parent?.checkVisibility() || parent.getBoundingClientRect().width <= 1) continue;
      for (const match of (node.textContent ?? '').matchAll(/[\p{L}\d]{2,14}/gu)) {
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.add(match[0]);
      }
    }
    return [...found];
  });
}
