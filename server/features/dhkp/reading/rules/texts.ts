import type { Cell } from '../files/grid.ts';

/** Control, zero-width and direction characters: they are not seen, and direction characters turn a text around. */
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;
const SPACES = /\s+/g;
const ERROR = /^#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NUM!|NULL!|GETTING_DATA|SPILL!|CALC!)$|^Err:\d+$/;

/** The text of a cell on one line, with single spaces and without what is not seen. */
export function cleanText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell);
  return cell.replaceAll(SPACES, ' ').replaceAll(UNSEEN, '').replaceAll(SPACES, ' ').trim();
}

/** Whether a cell shows the error of a formula, such as `#N/A`. */
export function isErrorText(text: string): boolean {
  return ERROR.test(text);
}

/** Cuts a text that is too long, never through a character of two units. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const cut = text.slice(0, charactersMax);
  const last = cut.charCodeAt(cut.length - 1);
  return (last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut).trimEnd();
}
