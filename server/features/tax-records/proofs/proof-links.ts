import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ServiceContext } from '#server/service-context.ts';
import { PROOF_NAME_PATTERN } from './proof-files.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';

/** A link works this long at least (contract 4). */
const LINK_MIN_MS = HOUR_MS;
/** Expiries fall on multiples of this, so that a link stays the same for hours and the browser's copy is found again. */
const LINK_EXPIRY_STEP_MS = 12 * HOUR_MS;

export type CreateLink = (file: string) => string;
export type ProofLinks = ReturnType<typeof createProofLinks>;

/** Signed addresses of proof images, for an `<img>` that can send no header (contract 4, payment_proof). */
export function createProofLinks({ secret, now }: Pick<ServiceContext, 'secret' | 'now'>) {
  // A key of its own: nothing that is signed here can pass for a token. As an object it is set up once, not for each of
  // the thousand links of a list.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'pbb-kita/proof-links/1', 32)));

  function sign(file: string, sessionId: string, expiresAt: string): string {
    return createHmac('sha256', key).update(`${file}\n${sessionId}\n${expiresAt}`).digest('base64url');
  }

  return {
    /** @returns what gives each image its relative address for one session; valid for 1 to 13 hours */
    forSession(sessionId: string): CreateLink {
      const expiresAtMs = (Math.floor((now() + LINK_MIN_MS) / LINK_EXPIRY_STEP_MS) + 1) * LINK_EXPIRY_STEP_MS;
      const expiresAt = String(expiresAtMs / 1000);
      return (file) =>
        `/uploads/${file}?s=${encodeURIComponent(sessionId)}&e=${expiresAt}&t=${sign(file, sessionId, expiresAt)}`;
    },

    /** @returns the session a link was made for; null when it is not one of ours or has expired */
    readLink(file: string, query: Record<string, unknown>): string | null {
      const { s: sessionId, e: expiresAt, t: given } = query;
      if (typeof sessionId !== 'string' || typeof expiresAt !== 'string' || typeof given !== 'string') return null;
      if (!PROOF_NAME_PATTERN.test(file) || !/^[\w-]{1,100}$/.test(sessionId) || !/^\d{1,12}$/.test(expiresAt))
        return null;
      const expected = Buffer.from(sign(file, sessionId, expiresAt));
      const offered = Buffer.from(given);
      if (offered.length !== expected.length || !timingSafeEqual(offered, expected)) return null;
      return Number(expiresAt) * 1000 > now() ? sessionId : null;
    },
  };
}
