import { createLinkSigner, type LinkSigning } from '#server/security/signed-links.ts';
import { HOUR_MS } from '#shared/durations.ts';
import { UPLOAD_NAME_PATTERN } from './upload-names.ts';

/** A link works at least this long (R-PROOF-5). */
const LINK_MIN_MS = HOUR_MS;
/** Expiries fall on multiples of this. So a link stays the same for hours, and the browser finds the image in its cache. */
const LINK_EXPIRY_STEP_MS = 12 * HOUR_MS;

export type CreateLink = (file: string) => string;
export type UploadLinks = ReturnType<typeof createUploadLinks>;

/** The query worker signs the links of one session with this: session and key, and the time in epoch milliseconds. */
export type LinkSigningForSession = { sessionId: string; secret: string; nowMs: number };

export const linkSigningFor = (
  { secret, now }: LinkSigning,
  { sessionId }: { sessionId: string },
): LinkSigningForSession => ({ sessionId, secret, nowMs: now() });

/** The key is made at the first link: most pages of messages have none. */
export function createLinkForSession({ sessionId, secret, nowMs }: LinkSigningForSession): CreateLink {
  let linkFor: CreateLink | undefined;
  return (file) => {
    linkFor ??= createUploadLinks({ secret, now: () => nowMs }).forSession(sessionId);
    return linkFor(file);
  };
}

/** Signed links of proofs and of files in messages, for an `<img>` or a download, which can send no header. */
export function createUploadLinks(signing: LinkSigning) {
  const signer = createLinkSigner(signing, 'pbb-kita/proof-links/1');
  const signedContent = (file: string, sessionId: string, expiresAt: string): string =>
    `${file}\n${sessionId}\n${expiresAt}`;

  return {
    /** @returns a function that gives each file its relative URL for one session, valid for 1 to 13 hours */
    forSession(sessionId: string): CreateLink {
      const expiresAtMs = (Math.floor((signing.now() + LINK_MIN_MS) / LINK_EXPIRY_STEP_MS) + 1) * LINK_EXPIRY_STEP_MS;
      const expiresAt = String(expiresAtMs / 1000);
      return (file) =>
        `/uploads/${file}?s=${encodeURIComponent(sessionId)}&e=${expiresAt}&t=${signer.sign(signedContent(file, sessionId, expiresAt))}`;
    },

    /** @returns the session for which a link was made; null when the link is not valid or has expired */
    readLink(file: string, query: Record<string, unknown>): string | null {
      const { s: sessionId, e: expiresAt, t: signature } = query;
      if (typeof sessionId !== 'string' || typeof expiresAt !== 'string' || typeof signature !== 'string') return null;
      if (!UPLOAD_NAME_PATTERN.test(file) || !/^[\w-]{1,100}$/.test(sessionId) || !/^\d{1,12}$/.test(expiresAt))
        return null;
      if (!signer.isValid(signedContent(file, sessionId, expiresAt), signature)) return null;
      return signer.isExpired(Number(expiresAt) * 1000) ? null : sessionId;
    },
  };
}
