import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { wholeChromiumLaunch } from '../../chromium.config.ts';

/**
 * Draws the icons of the installed app from the logo: `npm run icons` after the logo has changed. The pictures are part of
 * the repository, so that a build needs no browser.
 */
const client = join(import.meta.dirname, '../../client');
const logo = readFileSync(join(client, 'favicon.svg'), 'utf8');

const ROUND_BACKGROUND = / rx="8"/;
const BACKGROUND = /<rect[^>]*>/;

/** The systems cut the shape themselves, so the colour reaches into the corners. The drawing stays in the circle of 80 %. */
const fullBleed = logo.replace(ROUND_BACKGROUND, '');
/** A silhouette: Android draws the small icon of a notification from its transparency alone. */
const silhouette = logo
  .replace(BACKGROUND, '')
  .replace('viewBox="0 0 32 32"', 'viewBox="4 4 24 24"')
  .replaceAll('#a5d6dc', '#fff');

const icons = [
  { name: 'icon-192', svg: logo, size: 192 },
  { name: 'icon-512', svg: logo, size: 512 },
  { name: 'maskable-192', svg: fullBleed, size: 192 },
  { name: 'maskable-512', svg: fullBleed, size: 512 },
  { name: 'apple-touch-icon', svg: fullBleed, size: 180 },
  { name: 'badge-96', svg: silhouette, size: 96 },
];

mkdirSync(join(client, 'public/icons'), { recursive: true });
const browser = await chromium.launch(wholeChromiumLaunch);
const page = await browser.newPage();
for (const { name, svg, size } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  await page.screenshot({ path: join(client, `public/icons/${name}.png`), omitBackground: true });
}
await browser.close();
