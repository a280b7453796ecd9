import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanImage } from '#server/images/clean-image.ts';
import { root } from '../bootstrap.mjs';
import { type Handbook, readHandbook } from './chapters.ts';
import { renderPages, STYLE_FILE } from './render-pages.ts';
import type { PictureSize } from './render-tokens.ts';

/** Letters of Indonesian; the browser may have this file from the app already. */
const FONT = /^inter-latin-wght-normal-.*\.woff2$/;

export const readDocument = (): Handbook => readHandbook(readFileSync(join(root, 'docs', 'operations.md'), 'utf8'));

/** @param path as in the document, from docs/ on */
export function readPictureSize(path: string): PictureSize {
  const picture = cleanImage(readFileSync(join(root, 'docs', path)));
  if (typeof picture === 'string') throw new Error(`docs/${path} is no picture: ${picture}`);
  return picture;
}

/**
 * Writes the handbook as pages into a folder, with their style sheet and pictures. Its former content goes.
 * @param assets the folder with the fonts of the client
 */
export function writeHandbook(folder: string, assets: string): void {
  const font = readdirSync(assets).find((name) => FONT.test(name));
  if (font === undefined) throw new Error(`${assets} has no file of the font`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, html] of renderPages(readDocument(), readPictureSize)) writeFileSync(join(folder, name), html);
  const style = readFileSync(join(import.meta.dirname, 'handbook.css'), 'utf8');
  writeFileSync(join(folder, STYLE_FILE), style.replace('inter.woff2', `/assets/${font}`));
  const pictures = join(root, 'docs', 'pictures');
  for (const name of readdirSync(pictures)) writeFileSync(join(folder, name), readFileSync(join(pictures, name)));
}
