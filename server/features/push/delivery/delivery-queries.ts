import type { RecordCardFields } from '#shared/api/tax-records/record-card.ts';
import type { Side } from '#shared/events.ts';
import type { MessageKind } from '#shared/message-contents.ts';
import type { Connection } from '#server/db/open.ts';

/** A device of a person who wants notifications. */
export type Receiver = { sessionId: string; personId: string; endpoint: string; owedAfterId: number | null };

/** A device with what its person wants. */
export type ReceivingDevice = Receiver & {
  p256dh: string;
  auth: string;
  isEnabled: boolean;
  showsPreview: boolean;
  quietFrom: number | null;
  quietTo: number | null;
};

export type UnreadMessage = {
  id: number;
  senderName: string;
  content: string;
  kind: MessageKind;
  photoCount: number;
  documentCount: number;
  recordYear: number | null;
  createdAt: number;
};

type Stored<T> = { [K in keyof T]: T[K] extends boolean ? number : T[K] };
type ConversationPosition = Record<'unreadForUser' | 'unreadForAdmin' | 'userSeenId' | 'adminSeenId', number> & {
  clearedId: number;
};

const RECEIVER = `select s.session_id as sessionId, s.user_id as personId, s.endpoint, s.owed_after_id as owedAfterId
  from push_subscriptions s left join push_preferences p on p.user_id = s.user_id`;
/** A person who never chose wants everything. */
const IS_ENABLED = 'coalesce(p.is_enabled, 1) = 1';

/**
 * The statements of the delivery, prepared once and without Drizzle: one of them runs with every message. They use the write
 * queue's connection, so inside a commit they are part of its transaction.
 */
export function createDeliveryQueries({ $client: sqlite }: Connection) {
  const receiversOfPerson = sqlite.prepare<[string], Receiver>(`${RECEIVER} where s.user_id = ? and ${IS_ENABLED}`);
  const receiversOfAdmins = sqlite.prepare<[number], Receiver>(
    `${RECEIVER} where s.user_id in (select id from users where is_admin = 1 and is_active = 1) and ${IS_ENABLED} limit ?`,
  );
  const owing = sqlite.prepare<[], Receiver>(`${RECEIVER} where s.owed_after_id is not null`);
  const device = sqlite.prepare<[string], Stored<ReceivingDevice>>(
    `select s.session_id as sessionId, s.user_id as personId, s.endpoint, s.owed_after_id as owedAfterId, s.p256dh, s.auth,
        coalesce(p.is_enabled, 1) as isEnabled, coalesce(p.shows_preview, 1) as showsPreview,
        p.quiet_from as quietFrom, p.quiet_to as quietTo
      from push_subscriptions s left join push_preferences p on p.user_id = s.user_id where s.session_id = ?`,
  );
  const markOwed = sqlite.prepare<[number, string]>(
    'update push_subscriptions set owed_after_id = ? where session_id = ? and owed_after_id is null',
  );
  const clearOwed = sqlite.prepare<[string]>(
    'update push_subscriptions set owed_after_id = null where session_id = ? and owed_after_id is not null',
  );
  const position = sqlite.prepare<[string], ConversationPosition>(
    `select admin_ordinal - user_read_ordinal as unreadForUser, user_ordinal - admin_read_ordinal as unreadForAdmin,
        user_seen_id as userSeenId, admin_seen_id as adminSeenId, cleared_id as clearedId
      from conversations where user_id = ?`,
  );
  const newest = sqlite.prepare<
    [string, number, number],
    Omit<UnreadMessage, 'recordYear'> & { recordThen: string | null }
  >(
    `select id, sender_name as senderName, content, kind, photo_count as photoCount, document_count as documentCount,
        record_then as recordThen, created_at as createdAt
      from messages where user_id = ? and from_admin = ? and id > ? order by id desc limit 1`,
  );
  const isAdmin = sqlite.prepare<[string], number>('select is_admin from users where id = ?').pluck();
  const unreadForAdmins = sqlite
    .prepare<[number, number], string>(
      `select user_id from conversations where user_ordinal > admin_read_ordinal and last_message_id > ?
        order by last_message_id desc limit ?`,
    )
    .pluck();
  const countAll = sqlite.prepare<[], number>('select count(*) from push_subscriptions').pluck();

  const unreadOf = ({ unreadForAdmin, unreadForUser }: ConversationPosition, side: Side): number =>
    side === 'admin' ? unreadForAdmin : unreadForUser;
  function hasUnread(userId: string, side: Side): boolean {
    const found = position.get(userId);
    return found !== undefined && unreadOf(found, side) > 0;
  }

  return {
    listReceiversOf: (personId: string): Receiver[] => receiversOfPerson.all(personId),
    listReceivingAdmins: (limit: number): Receiver[] => receiversOfAdmins.all(limit),
    /** The devices to which something is owed. */
    listOwing: (): Receiver[] => owing.all(),
    findDevice(sessionId: string): ReceivingDevice | null {
      const row = device.get(sessionId);
      return row ? { ...row, isEnabled: row.isEnabled === 1, showsPreview: row.showsPreview === 1 } : null;
    },
    /** Notes that messages after this one are owed to a device, unless earlier ones are already. */
    markOwed: (sessionId: string, afterId: number): void => void markOwed.run(afterId, sessionId),
    clearOwed: (sessionId: string): void => void clearOwed.run(sessionId),
    hasUnread,
    /** The newest message that a side has not read, whatever it was told; null when it has read all, or the history was deleted. */
    findNewestUnread(userId: string, side: Side): UnreadMessage | null {
      const found = position.get(userId);
      if (!found || unreadOf(found, side) <= 0) return null;
      const seenId = side === 'admin' ? found.adminSeenId : found.userSeenId;
      const row = newest.get(userId, side === 'admin' ? 0 : 1, Math.max(seenId, found.clearedId));
      if (!row) return null;
      const { recordThen, ...message } = row;
      const recordYear = recordThen === null ? null : (JSON.parse(recordThen) as RecordCardFields).year;
      return { ...message, recordYear };
    },
    /** undefined for an account that is gone. */
    findIsAdmin(id: string): boolean | undefined {
      const found = isAdmin.get(id);
      return found === undefined ? undefined : found === 1;
    },
    /** The conversations with messages after this one that no admin has read, the latest first. */
    listUnreadForAdmins: (afterId: number, limit: number): string[] => unreadForAdmins.all(afterId, limit),
    countSubscriptions: (): number => countAll.get() ?? 0,
  };
}
export type DeliveryQueries = ReturnType<typeof createDeliveryQueries>;
