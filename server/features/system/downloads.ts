import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { systemTexts } from '#shared/api/system.ts';
import { AppError } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { createLinkSigner, type LinkSigning } from '#server/security/signed-links.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createSeasoning } from '#server/accounts/seasoned.ts';
import { hasOtherActiveAdmin } from '#server/accounts/user-queries.ts';
import * as queries from './queries.ts';

/** The browser starts its download at once. The rest of the time is for an admin who confirms it late. */
const TICKET_LIFETIME_MS = 10 * MINUTE_MS;

type RuleContext = Pick<
  ServiceContext,
  'orm' | 'write' | 'now' | 'earliestNow' | 'latestNow' | 'operatingNow' | 'timeZone'
>;

/** Whether an admin may download a backup (docs/requirements.md R-SYS-22): a seasoned one, or the only one. */
export function createDownloadRule(context: RuleContext) {
  const { orm, earliestNow } = context;
  const seasoning = createSeasoning(context);

  /** @throws 403 with the time from which it is allowed */
  return async function requireOldAdmin(currentUser: CurrentUser): Promise<void> {
    const leftMs = await seasoning.missingMs(currentUser);
    if (leftMs <= 0) return;
    const wasAlone =
      !(await hasOtherActiveAdmin(orm, currentUser.id)) &&
      !(await queries.wasAdminRemovedSince(orm, earliestNow() - DAY_MS));
    if (wasAlone) return;
    throw new AppError(403, systemTexts.downloadTooEarly(seasoning.timeAfter(leftMs)));
  };
}

type DownloadTicket = { name: string; sessionId: string };

/** Tickets of signed links for downloads, for which a browser sends no header (R-SYS-14). */
export function createDownloadTickets(signing: LinkSigning) {
  const signer = createLinkSigner(signing, 'pbb-kita/backup-tickets/1');

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
