import { noticeTexts } from '#shared/api/notices.ts';
import { FORMER_EMAIL_MS } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';
import * as emails from '#server/accounts/email-queries.ts';
import { createSeasoning, isAdminAccount } from '#server/accounts/seasoned.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { publishUserChange } from '#server/accounts/user-change.ts';
import { deleteSessionsOf, findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { conflict, notFound } from '#server/http/errors.ts';
import { nextUpdatedAt } from '#server/http/row-version.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import * as queries from './queries.ts';

/** More than an admin reads at once. The oldest of them: the others are told when these were seen. */
const SHOWN_MAX = 10;

/** Ids of audit entries, and those of changes of own addresses and of announcements of a retention with a letter before. */
const ID_PATTERN = /^([ar]?)(\d{1,15})$/;
type NoticeId = { kind: 'entry' | 'emailChange' | 'retention'; number: number };
const KINDS: Record<string, NoticeId['kind']> = { '': 'entry', a: 'emailChange', r: 'retention' };

/** The announcement of a retention, until its first deletion. */
export type RetentionNotice = {
  id: string;
  by: { id: string; name: string };
  text: string;
  announcedAt: number;
};

export type NoticeDeps = {
  requireOwnPassword: RequireOwnPassword;
  findRetentionNotice: () => Promise<RetentionNotice | null>;
  /** Keeps everything for ever again. @throws 401, 403, 404 when another announcement holds, or none */
  stopRetention: (currentUser: CurrentUser, announcement: number) => Promise<void>;
};

/** @throws 404 for what is no id */
function readId(id: string): NoticeId {
  const [, letter = '', digits] = ID_PATTERN.exec(id) ?? [];
  const kind = KINDS[letter];
  if (digits === undefined || kind === undefined) throw notFound(noticeTexts.missing);
  return { kind, number: Number(digits) };
}

/** Lines that every other admin is told until having seen them (R-USER-17, R-ACCESS-18). */
export function createNoticeService(context: ServiceContext, deps: NoticeDeps) {
  const { audit, orm, policy, write, now, operatingNow, publish } = context;
  const seasoning = createSeasoning(context);
  const sinceMs = (): number => operatingNow() - FORMER_EMAIL_MS;

  /** @throws 404, also for the own account, 409 when another account has the address by now */
  async function planRevert(
    db: ConnectionOrTransaction,
    currentUser: CurrentUser,
    id: string,
  ): Promise<{ former: emails.FormerEmail; user: UserRow; isAdmins: boolean }> {
    const { kind, number } = readId(id);
    const former = kind === 'emailChange' ? await emails.findFormerEmail(db, number, sinceMs()) : undefined;
    const user = former && (await findUserById(db, former.userId));
    if (!user || user.id === currentUser.id) throw notFound(noticeTexts.missing);
    const holder = await emails.findEmailHolder(db, former.email, sinceMs());
    if (holder !== user.id) throw conflict(errorTexts.emailTaken);
    return { former, user, isAdmins: isAdminAccount(user, operatingNow()) };
  }

  return {
    /** Entries of the audit, changes of own addresses, and the announcement of a retention, which nobody puts away. */
    async listUnseen({ id }: CurrentUser): Promise<{
      entries: queries.NoticeRow[];
      changes: emails.EmailChange[];
      retention: RetentionNotice | null;
    }> {
      const entries = await queries.listUnseenNotices(orm, id, SHOWN_MAX);
      const retention = await deps.findRetentionNotice();
      return { retention, entries, changes: await emails.listEmailChanges(orm, id, sinceMs(), SHOWN_MAX) };
    },

    /** @throws 401, 403, 404 for what cannot be stopped */
    async stop(currentUser: CurrentUser, id: string): Promise<void> {
      const { kind, number } = readId(id);
      if (kind !== 'retention') throw notFound(noticeTexts.missing);
      await deps.stopRetention(currentUser, number);
    },

    /** This one and all older ones of its kind. @throws 401, 403, 404 for what is no id, and what stays until its day */
    async markSeen(currentUser: CurrentUser, id: string): Promise<void> {
      const { kind, number } = readId(id);
      if (kind === 'retention') throw notFound(noticeTexts.missing);
      await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        if (kind === 'emailChange') await emails.markEmailChangesSeen(tx, currentUser.id, number);
        else await queries.markNoticesSeen(tx, currentUser.id, number);
      });
    },

    /**
     * Gives an account the address again that it had before a change. All its sessions end: the owner of this address did not
     * make the change, or asks for it.
     * @throws 401, 403 for the account of an admin and an own one of less than 24 hours, 404, 409, 422, 429, 503
     */
    async revert(
      currentUser: CurrentUser,
      id: string,
      { password, source }: { password: string | undefined; source: PasswordSource },
    ): Promise<void> {
      const { isAdmins: isConfirmed } = await planRevert(orm, currentUser, id);
      if (isConfirmed) {
        await seasoning.require(currentUser);
        await deps.requireOwnPassword(currentUser, { current_password: password }, source);
      }
      const reverted = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const { former, user, isAdmins } = await planRevert(tx, currentUser, id);
        // The account became an administrator's meanwhile.
        if (isAdmins && !isConfirmed) throw conflict(errorTexts.conflict);
        const changed: UserRow = { ...user, email: former.email, updatedAt: nextUpdatedAt(user, now()) };
        await emails.restoreEmail(tx, former, changed.updatedAt);
        await deleteSessionsOf(tx, user.id);
        await audit.userChanged(tx, currentUser, user, changed, isAdmins);
        const act = { userId: user.id, event: 'email.changed', how: null, by: currentUser, at: now() } as const;
        await insertSecurityEvent(tx, act);
        return changed;
      });
      publish.endUser(reverted.id);
      publishUserChange(publish, 'updated', reverted);
      // The line of the change disappears for all of them.
      publish.toAdmins('notice:new', { actor_id: currentUser.id });
    },
  };
}
