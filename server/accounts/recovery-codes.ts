import { randomInt } from 'node:crypto';
import { cleanCode, makeCode } from '#shared/domain/users/access-codes.ts';
import { createLinkSigner, type LinkSigning } from '#server/security/signed-links.ts';

/** 625 different beginnings: with half of them taken, one in two new codes still has a free one. */
const SELECTOR_CHARACTERS = 2;

/**
 * Codes of the office are hashed like passwords, so no one can be looked up. The keyed hash of its beginning finds the one that is
 * checked; the database alone does not tell the beginning (R-ACCESS-13).
 */
export function createCodeSelectors(signing: LinkSigning) {
  const signer = createLinkSigner(signing, 'pbb-kita/recovery-codes/1');
  const selectorOf = (code: string): string => signer.sign(cleanCode(code).slice(0, SELECTOR_CHARACTERS));

  return {
    selectorOf,

    /** @param taken the selectors of other open codes @returns null when nearly all are taken */
    makeFreeCode(taken: ReadonlySet<string>): { code: string; selector: string } | null {
      for (let round = 0; round < 100; round += 1) {
        const code = makeCode('recovery', randomInt);
        const selector = selectorOf(code);
        if (!taken.has(selector)) return { code, selector };
      }
      return null;
    },
  };
}
