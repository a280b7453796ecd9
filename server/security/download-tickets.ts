import { MINUTE_MS } from '#shared/durations.ts';
import { createLinkSigner, type LinkSigning } from './signed-links.ts';

/** The browser starts its download at once. The rest of the time is for a person who confirms it late. */
const TICKET_LIFETIME_MS = 10 * MINUTE_MS;

type DownloadTicket = { name: string; sessionId: string };

/**
 * Tickets of signed links for downloads, for which a browser sends no header (R-SYS-14).
 * @param purpose as for `createLinkSigner`
 */
export function createDownloadTickets(signing: LinkSigning, purpose: string) {
  const signer = createLinkSigner(signing, purpose);

  return {
    issue({ name, sessionId }: DownloadTicket): string {
      const content = Buffer.from(`${name}\n${sessionId}\n${signing.now() + TICKET_LIFETIME_MS}`).toString('base64url');
      return `${content}.${signer.sign(content)}`;
    },

    /** @returns null when the ticket is not valid or has expired */
    read(ticket: string): DownloadTicket | null {
      const [content = '', signature = ''] = ticket.split('.');
      if (!signer.isValid(content, signature)) return null;
      const [name = '', sessionId = '', expiresAtMs = '0'] = Buffer.from(content, 'base64url').toString().split('\n');
      return signer.isExpired(Number(expiresAtMs)) ? null : { name, sessionId };
    },
  };
}
