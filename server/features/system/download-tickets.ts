import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ServiceContext } from '#server/service-context.ts';

/** A browser starts its download at once; the time is for an office that is slow to press the button. */
const TICKET_LIFETIME_MS = 10 * 60 * 1000;

export type DownloadTicket = { name: string; sessionId: string };

/** Signed tickets for downloads, which a browser can send no header with. */
export function createDownloadTickets({ secret, now }: Pick<ServiceContext, 'secret' | 'now'>) {
  // A key of its own: nothing that is signed here can pass for a token or a proof link.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'pbb-kita/backup-tickets/1', 32)));
  const sign = (content: string): Buffer => createHmac('sha256', key).update(content).digest();

  return {
    issue({ name, sessionId }: DownloadTicket): string {
      const content = Buffer.from(`${name}\n${sessionId}\n${now() + TICKET_LIFETIME_MS}`).toString('base64url');
      return `${content}.${sign(content).toString('base64url')}`;
    },

    /** @returns null for what is not one of ours or has run out */
    read(ticket: string): DownloadTicket | null {
      const [content = '', signature = ''] = ticket.split('.');
      const expected = sign(content);
      const offered = Buffer.from(signature, 'base64url');
      if (offered.length !== expected.length || !timingSafeEqual(offered, expected)) return null;
      const [name = '', sessionId = '', untilMs = '0'] = Buffer.from(content, 'base64url').toString().split('\n');
      return Number(untilMs) > now() ? { name, sessionId } : null;
    },
  };
}
export type DownloadTickets = ReturnType<typeof createDownloadTickets>;
