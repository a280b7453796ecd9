import { expect, it } from 'vitest';
import { legalTexts } from './legal-texts.ts';
import { presentTexts } from './legal-versions.ts';

/** A number that another text has not. FNV-1a. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16);
}

/**
 * The text of each version. After a change of a text this test fails: give the text a new version, and write its digest here, so
 * that every user is asked about it once. A digest of a version that was released is never changed.
 */
const digests: Record<string, string> = {
  'terms 2025-01-01': 'f7b38e89',
  'privacy 2026-11-29': '4ca4e738',
};

it('each text that changed has a new version', () => {
  for (const { document, version } of presentTexts) {
    expect(version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(digest(JSON.stringify(legalTexts[document])), `${document} ${version}`).toBe(
      digests[`${document} ${version}`],
    );
  }
});
