import { sql } from 'drizzle-orm';
import type { RecordCardFields } from '#shared/api/tax-records/record-card.ts';
import type { Side } from '#shared/events.ts';
import type { MessageKind } from '#shared/message-contents.ts';
import { textsIn } from '#server/db/dialect.ts';
import { perStatements } from '#server/db/engine.ts';
import { pushSubscriptions } from '#server/db/schema.ts';

/** A device of a person who wants notifications. */
export type Receiver = { sessionId: string; personId: string; endpoint: string; owedAfterId: number | null };

/** A message of which the other side gets a push. */
export type NewMessage = { id: number; userId: string; fromAdmin: boolean };
/** `hasDevices`: some device may be told of it. */
type ReadMessage = NewMessage & { hasDevices: boolean };

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

const RECEIVER = `select s.session_id as "sessionId", s.user_id as "personId", s.endpoint, s.owed_after_id as "owedAfterId"
  from push_subscriptions s left join push_preferences p on p.user_id = s.user_id`;
/** A person who never chose wants everything. */
const IS_ENABLED = 'coalesce(p.is_enabled, 1) = 1';
const RECEIVERS_OF_PERSON = `${RECEIVER} where s.user_id = ? and ${IS_ENABLED}`;
const RECEIVING_ADMINS = `${RECEIVER} where s.user_id in (select id from users where is_admin = 1 and is_active = 1) and ${IS_ENABLED}
  order by s.session_id limit ?`;

const MESSAGES_AFTER = `select id, user_id as "userId", from_admin as "fromAdmin",
    case when (from_admin = 0 and exists (select 1 from push_subscriptions))
      or exists (select 1 from push_subscriptions s where s.user_id = messages.user_id) then 1 else 0 end as "hasDevices"
  from messages where id > ? order by id limit ?`;

const POSITION = `select admin_ordinal - user_read_ordinal as "unreadForUser", user_ordinal - admin_read_ordinal as "unreadForAdmin",
    user_seen_id as "userSeenId", admin_seen_id as "adminSeenId", cleared_id as "clearedId"
  from conversations where user_id = ?`;
const unreadOf = ({ unreadForAdmin, unreadForUser }: ConversationPosition, side: Side): number =>
  side === 'admin' ? unreadForAdmin : unreadForUser;

/** The statements of the delivery, without Drizzle: one of them runs with every message. */
export const deliveryQueries = perStatements((tx) => {
  const findPosition = (userId: string) => tx.get<ConversationPosition>(POSITION, userId);
  return {
    listReceiversOf: (personId: string): Promise<Receiver[]> => tx.all(RECEIVERS_OF_PERSON, personId),
    listReceivingAdmins: (limit: number): Promise<Receiver[]> => tx.all(RECEIVING_ADMINS, limit),
    /** The devices to which something is owed. */
    listOwing: (): Promise<Receiver[]> => tx.all(`${RECEIVER} where s.owed_after_id is not null`),
    async findDevice(sessionId: string): Promise<ReceivingDevice | null> {
      const row = await tx.get<Stored<ReceivingDevice>>(
        `select s.session_id as "sessionId", s.user_id as "personId", s.endpoint, s.owed_after_id as "owedAfterId", s.p256dh, s.auth,
            coalesce(p.is_enabled, 1) as "isEnabled", coalesce(p.shows_preview, 1) as "showsPreview",
            p.quiet_from as "quietFrom", p.quiet_to as "quietTo"
          from push_subscriptions s left join push_preferences p on p.user_id = s.user_id where s.session_id = ?`,
        sessionId,
      );
      return row ? { ...row, isEnabled: row.isEnabled === 1, showsPreview: row.showsPreview === 1 } : null;
    },
    /** Notes that messages after this one are owed to devices, unless earlier ones are already. */
    markOwed: (sessionIds: readonly string[], afterId: number): Promise<unknown> =>
      tx.run(sql`update ${pushSubscriptions} set owed_after_id = ${afterId}
        where owed_after_id is null and session_id in ${textsIn(JSON.stringify(sessionIds))}`),
    clearOwed: (sessionId: string): Promise<unknown> =>
      tx.run(
        'update push_subscriptions set owed_after_id = null where session_id = ? and owed_after_id is not null',
        sessionId,
      ),
    findNewestMessageId: async (): Promise<number> => (await tx.value<number>('select max(id) from messages')) ?? 0,
    /** The messages after this one, the first ones first. Their ids are in the order of their commits. */
    async listMessagesAfter(id: number, limit: number): Promise<ReadMessage[]> {
      const rows = await tx.all<Stored<ReadMessage>>(MESSAGES_AFTER, id, limit);
      return rows.map((row) => ({
        id: row.id,
        userId: row.userId,
        fromAdmin: row.fromAdmin === 1,
        hasDevices: row.hasDevices === 1,
      }));
    },
    async hasUnread(userId: string, side: Side): Promise<boolean> {
      const found = await findPosition(userId);
      return found !== undefined && unreadOf(found, side) > 0;
    },
    /** The newest message that a side has not read, whatever it was told; null when it has read all, or the history was deleted. */
    async findNewestUnread(userId: string, side: Side): Promise<UnreadMessage | null> {
      const found = await findPosition(userId);
      if (!found || unreadOf(found, side) <= 0) return null;
      const seenId = side === 'admin' ? found.adminSeenId : found.userSeenId;
      const row = await tx.get<Omit<UnreadMessage, 'recordYear'> & { recordThen: string | null }>(
        `select id, sender_name as "senderName", content, kind, photo_count as "photoCount", document_count as "documentCount",
            record_then as "recordThen", created_at as "createdAt"
          from messages where user_id = ? and from_admin = ? and id > ? order by id desc limit 1`,
        userId,
        side === 'admin' ? 0 : 1,
        Math.max(seenId, found.clearedId),
      );
      if (!row) return null;
      const { recordThen, ...message } = row;
      const recordYear = recordThen === null ? null : (JSON.parse(recordThen) as RecordCardFields).year;
      return { ...message, recordYear };
    },
    /** undefined for an account that is gone. */
    async findIsAdmin(id: string): Promise<boolean | undefined> {
      const found = await tx.value<number>('select is_admin from users where id = ?', id);
      return found === undefined ? undefined : found === 1;
    },
    /** The conversations with messages after this one that no admin has read, the latest first. */
    listUnreadForAdmins: (afterId: number, limit: number): Promise<string[]> =>
      tx.column(
        `select user_id from conversations where user_ordinal > admin_read_ordinal and last_message_id > ?
          order by last_message_id desc limit ?`,
        afterId,
        limit,
      ),
    async countSubscriptions(): Promise<number> {
      return (await tx.value<number>('select count(*) from push_subscriptions')) ?? 0;
    },
  };
});
export type DeliveryQueries = ReturnType<typeof deliveryQueries>;
