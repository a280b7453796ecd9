import type { jsPDF } from 'jspdf';
// Inlined, because only lib/api.ts may fetch. This module is in the lazy chunk of the PDF maker, so no other page grows.
import boldUrl from '#client/assets/fonts/inter-bold-latin.ttf?inline';
import regularUrl from '#client/assets/fonts/inter-regular-latin.ttf?inline';
import { wellFormed } from './well-formed.ts';

export const FONT = 'Inter';
/** The box that screens also show for a character that the font lacks. */
const MISSING_GLYPH = '□';

const base64FromDataUrl = (dataUrl: string) => dataUrl.slice(dataUrl.indexOf(',') + 1);

function hasGlyph(pdf: jsPDF, character: string): boolean {
  const metadata: unknown = pdf.getFont().metadata;
  if (typeof metadata !== 'object' || metadata === null || !('characterToGlyph' in metadata)) return false;
  const { characterToGlyph } = metadata;
  return typeof characterToGlyph === 'function' && characterToGlyph.call(metadata, character.codePointAt(0)) !== 0;
}

/**
 * Adds the font to the document and returns a function that makes a text printable in it.
 *
 * jsPDF drops the *rest of a text* at the first character that the font lacks, so every text must be filtered. The filter composes
 * letters (e + ´ becomes é) and replaces compatibility characters (ﬁ becomes fi). It removes marks without a width, and replaces any
 * other missing character by a visible box.
 */
export function registerFont(pdf: jsPDF): (text: string) => string {
  for (const [style, url] of [
    ['normal', regularUrl],
    ['bold', boldUrl],
  ] as const) {
    const file = `inter-${style}.ttf`;
    pdf.addFileToVFS(file, base64FromDataUrl(url));
    pdf.addFont(file, FONT, style);
  }
  pdf.setFont(FONT, 'normal');

  const replacements = new Map<string, string>();
  const printableCharacter = (character: string): string => {
    if (character === '\n') return character;
    if (character === '\t') return ' ';
    if (/[\p{Cc}\p{Cf}\p{Mn}\p{Me}\uFE00-\uFE0F]/u.test(character)) return '';
    if (character.length === 1 && hasGlyph(pdf, character)) return character;
    const plain = Array.from(character.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
    const isPrintable = plain.length > 0 && plain.every((part) => part.length === 1 && hasGlyph(pdf, part));
    return isPrintable ? plain.join('') : MISSING_GLYPH;
  };
  return (text) => {
    let printable = '';
    for (const character of wellFormed(text)
      .normalize('NFC')
      .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')) {
      let replacement = replacements.get(character);
      if (replacement === undefined) {
        replacement = printableCharacter(character);
        replacements.set(character, replacement);
      }
      printable += replacement;
    }
    return printable;
  };
}
