import {
  type FillBody,
  type QuickReplyBody,
  quickReplyTexts,
  type UpdateQuickReplyBody,
} from '#shared/api/quick-replies.ts';
import { isWithinMaxLength } from '#shared/api/chat/chat.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { fillTemplate } from '#shared/domain/reply-template.ts';
import { OWN_REPLIES_MAX, SHARED_REPLIES_MAX } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { conflict, forbidden, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { findOfficeHours } from '#server/office/office-queries.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/http/row-version.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { findUserById } from '#server/accounts/user-queries.ts';
import * as queries from './queries.ts';
import { replyValues } from './reply-values.ts';

type QuickReplyRow = queries.QuickReplyRow;

/** The quick replies of the admins: shared ones, and those of one admin, which nobody else sees (R-REPLY-1). */
export function createQuickReplyService({ orm, write, policy, publish, now, timeZone }: ServiceContext) {
  /** @throws 404 also for a colleague's own one */
  async function requireReply(
    db: ConnectionOrTransaction,
    currentUser: CurrentUser,
    id: string,
  ): Promise<QuickReplyRow> {
    const row = await queries.findQuickReply(db, currentUser.id, id);
    if (!row) throw notFound(quickReplyTexts.missing);
    return row;
  }

  /** @throws 409 */
  async function requireFreeShortcut(
    tx: Transaction,
    ownerId: string | null,
    shortcut: string,
    ownId: string | null,
  ): Promise<void> {
    const found = await queries.findByShortcut(tx, ownerId, shortcut);
    if (found && found.id !== ownId) throw conflict(quickReplyTexts.shortcutTaken(shortcut));
  }

  /** @throws 409 */
  async function requireRoom(tx: Transaction, ownerId: string | null): Promise<void> {
    const max = ownerId === null ? SHARED_REPLIES_MAX : OWN_REPLIES_MAX;
    if ((await queries.countQuickReplies(tx, ownerId)) < max) return;
    throw conflict(ownerId === null ? quickReplyTexts.tooManyShared : quickReplyTexts.tooManyOwn);
  }

  /** An admin's own ones concern nobody else. */
  function publishChange(...ownerIds: (string | null)[]): void {
    if (ownerIds.includes(null)) publish.toAdmins('quick-replies:changed', {});
    else for (const id of new Set(ownerIds)) if (id !== null) publish.toUser(id, 'quick-replies:changed', {});
  }

  return {
    list: async (currentUser: CurrentUser): Promise<QuickReplyRow[]> => queries.listQuickReplies(orm, currentUser.id),

    /** @throws 401, 403, 409 for a shortcut that is taken, or too many */
    async create(
      currentUser: CurrentUser,
      { shortcut, title, content, personal }: QuickReplyBody,
    ): Promise<QuickReplyRow> {
      const ownerId = personal ? currentUser.id : null;
      const created = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        await requireFreeShortcut(tx, ownerId, shortcut, null);
        await requireRoom(tx, ownerId);
        return queries.insertQuickReply(tx, { ownerId, shortcut, title, content }, now());
      });
      publishChange(ownerId);
      return created;
    },

    /** @throws 401, 403, 404, 409 for a shortcut that is taken, too many, or changed since loaded */
    async update(
      currentUser: CurrentUser,
      id: string,
      { shortcut, title, content, personal, updated_at: loadedAt }: UpdateQuickReplyBody,
    ): Promise<QuickReplyRow> {
      const { before, after } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const row = await requireReply(tx, currentUser, id);
        requireUnchanged(row, loadedAt);
        const isPersonal = personal ?? row.ownerId !== null;
        const ownerId = isPersonal ? currentUser.id : null;
        await requireFreeShortcut(tx, ownerId, shortcut, id);
        if (ownerId !== row.ownerId) await requireRoom(tx, ownerId);
        const changed = { ...row, ownerId, shortcut, title, content, updatedAt: nextUpdatedAt(row, now()) };
        await queries.updateQuickReply(tx, changed);
        return { before: row, after: changed };
      });
      publishChange(before.ownerId, after.ownerId);
      return after;
    },

    /** @throws 401, 403, 404 */
    async remove(currentUser: CurrentUser, id: string): Promise<void> {
      const { ownerId } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const row = await requireReply(tx, currentUser, id);
        await queries.deleteQuickReply(tx, id);
        return row;
      });
      publishChange(ownerId);
    },

    /** The text for one user, with the real figures. @throws 403 for an admin as the user, 404 */
    async fill(
      currentUser: CurrentUser,
      id: string,
      { user_id: userId }: FillBody,
    ): Promise<{ text: string; missing: string[] }> {
      const { content } = await requireReply(orm, currentUser, id);
      const user = await findUserById(orm, userId);
      if (!user) throw notFound(errorTexts.userMissing);
      if (user.isAdmin) throw forbidden();
      const values = replyValues({
        userName: user.name,
        adminName: currentUser.name,
        unpaid: await queries.listUnpaidRecords(orm, userId),
        officeHours: await findOfficeHours(orm),
        today: todayIn(timeZone, now()),
      });
      return fillTemplate(content, values, isWithinMaxLength);
    },
  };
}
