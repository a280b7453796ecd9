import { sql } from 'drizzle-orm';
import type { StoredCardFields } from '#shared/api/tax-records/record-card.ts';
import type {
  StoredBatchCounts,
  StoredChoices,
  StoredComputed,
  StoredFindings,
  StoredRowData,
} from './dhkp-columns.ts';
import { ATTACHMENT_TYPES, MESSAGE_KINDS } from '#shared/message-contents.ts';
import { AREA_KINDS } from '#shared/domain/dhkp/area-names.ts';
import { BATCH_KINDS, CLAIM_STATES, OBJECT_CONDITIONS } from '#shared/domain/dhkp/list-states.ts';
import { FIRST_STEPS } from '#shared/domain/office/first-steps.ts';
import { ROLLOVER_MODES } from '#shared/domain/tax-records/rollover.ts';
import {
  AMOUNT_SOURCES,
  CHECK_RESULTS,
  PROPERTY_TYPES,
  RECORD_STATUSES,
  type RecordStatus,
} from '#shared/domain/tax-records/record-values.ts';
import { LEGAL_DOCUMENTS } from '#shared/legal-versions.ts';
import { IDENTIFIER_KINDS } from '#shared/domain/users/identifier.ts';
import { CHECKED_BY, SECURITY_EVENTS, SECURITY_HOWS, SESSION_ENTRIES } from '#shared/domain/users/security-events.ts';
import type { Tries } from '#shared/domain/users/wrong-tries.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { hasWideLetters, isTrue } from './dialect.ts';
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

/** All tables and indexes. Instants are epoch milliseconds UTC, dates 'yyyy-mm-dd', money integer sen. */

const timestampColumns = {
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
};

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** Trimmed and in lower case before it is stored, so that uniqueness ignores letter case. */
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    isAdmin: integer('is_admin', { mode: 'boolean' }).notNull().default(false),
    /** False: no login, and its sessions do not count. */
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    /** When the password was set; 0 in accounts of version 1.0.0, which count as old (R-SYS-14). */
    passwordChangedAt: integer('password_changed_at').notNull().default(0),
    /**
     * Since when the account is, or last was, an active admin; 1 for admins of version 1.0.0, 0 for users who never were
     * one (R-SYS-14, R-USER-17).
     */
    adminSince: integer('admin_since').notNull().default(0),
    /** The newest audit entry up to which this admin has seen the notices (R-USER-17). */
    seenNoticeId: integer('seen_notice_id').notNull().default(0),
    /** When it lost the role of an admin, in operating time; null: never (R-ACCESS-6). */
    adminEndedAt: integer('admin_ended_at'),
    /** The session reaches nothing but a new password (R-ACCESS-20). */
    mustChangePassword: integer('must_change_password', { mode: 'boolean' }).notNull().default(false),
    /** As '+6281234567890'; since when in operating time, and when its owner agreed to be written to (R-ACCESS-10). */
    phone: text('phone'),
    phoneSince: integer('phone_since'),
    phoneConsentAt: integer('phone_consent_at'),
    /** The newest entry of the own log up to which the account has put away the lines (R-ACCESS-4). */
    seenSecurityId: integer('seen_security_id').notNull().default(0),
    /** The newest change of an address up to which this admin has put away the lines (R-ACCESS-18). */
    seenEmailChangeId: integer('seen_email_change_id').notNull().default(0),
    ...timestampColumns,
  },
  (table) => [
    // Decides between parallel registrations.
    uniqueIndex('users_email').on(table.email),
    // For the oldest active admin (R-AUTH-13), and the check for another active admin.
    index('users_role').on(table.isAdmin, table.isActive, table.createdAt, table.id),
    index('users_created').on(table.createdAt, table.id),
    // For the accounts of a number (R-ACCESS-11).
    index('users_phone')
      .on(table.phone)
      .where(sql`${table.phone} is not null`),
    // For admins of the last 24 hours (R-ACCESS-6).
    index('users_admin_ended')
      .on(table.adminEndedAt)
      .where(sql`${table.adminEndedAt} is not null`),
    // Searches by name and e-mail read it alone, and never the wide rows.
    index('users_names').on(table.isAdmin, table.name, table.email, table.createdAt, table.isActive, table.id),
    // The names that SQLite cannot compare without regard to letter case.
    index('users_other_names').on(table.id).where(hasWideLetters(table.name)),
  ],
);

export const sessions = sqliteTable(
  'sessions',
  {
    /** The token's jti: a token counts only while its row is here (R-AUTH-8). */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** For the list of own sessions (R-AUTH-12). */
    userAgent: text('user_agent'),
    address: text('address'),
    /** The way in (R-ACCESS-5). */
    entry: text('entry', { enum: SESSION_ENTRIES }).notNull().default('password'),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_last_seen').on(table.lastSeenAt)],
);

/** The address at which the browser of a session gets notifications (Web Push). It ends with the session, and with the role (R-PUSH-8). */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    sessionId: text('session_id')
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    /** Unique: a browser has one subscription, whoever is signed in there. */
    endpoint: text('endpoint').notNull(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** Messages after this id were not pushed yet, because the service or the time did not allow it; null: nothing is owed. */
    owedAfterId: integer('owed_after_id'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('push_subscriptions_endpoint').on(table.endpoint),
    index('push_subscriptions_user').on(table.userId),
  ],
);

/** The choices of an account about push notifications, on all devices; no row: everything at any time, with a preview. */
export const pushPreferences = sqliteTable('push_preferences', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  isEnabled: integer('is_enabled', { mode: 'boolean' }).notNull(),
  showsPreview: integer('shows_preview', { mode: 'boolean' }).notNull(),
  /** Quiet hours in `APP_TIMEZONE`, as minutes after midnight; both or none. */
  quietFrom: integer('quiet_from'),
  quietTo: integer('quiet_to'),
});

/** The payment of a record and what its report and check said, before an admin changed it or its owner reported (R-CHECK-44). */
type BeforeChange = {
  status: RecordStatus;
  paymentDate: string | null;
  reportedAt: number | null;
  changedSinceCheck: boolean;
  statusBeforeCheck: RecordStatus | null;
  paymentDateBeforeCheck: string | null;
  /** Of a report of the owner: the proof of before. Absent: an admin changed the payment. */
  ownerProof?: string | null;
};

export const taxRecords = sqliteTable(
  'tax_records',
  {
    id: text('id').primaryKey(),
    /** No reference: the records of a deleted account are deleted in steps, see `accountDeletions`. */
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    address: text('address').notNull(),
    taxType: text('tax_type').notNull(),
    propertyType: text('property_type', { enum: PROPERTY_TYPES }),
    sptNumber: text('spt_number').notNull(),
    year: integer('year').notNull(),
    amountSen: integer('amount_sen').notNull(),
    /** The source of the amount: a person, the new-year copy (plus 10 %), or the office's list (R-YEAR-11). */
    amountSource: text('amount_source', { enum: AMOUNT_SOURCES }).notNull().default('typed'),
    description: text('description'),
    status: text('status', { enum: RECORD_STATUSES }).notNull(),
    dueDate: text('due_date'),
    paymentDate: text('payment_date'),
    notes: text('notes'),
    /** Name of the image in the proofs folder, with the extension of its detected type. */
    proofFile: text('proof_file'),
    /** Size of that image, for the quota; null without one, and until the start of the server has measured an older one. */
    proofBytes: integer('proof_bytes'),
    /** The source of this record, if a rollover made it. */
    predecessorId: text('predecessor_id').references((): AnySQLiteColumn => taxRecords.id, { onDelete: 'set null' }),
    /**
     * When the user last reported a payment: a proof, or a status other than 'belum_lunas' (R-CHECK-1). Null: never, or taken
     * back. The report waits for the office while it is newer than the check.
     */
    reportedAt: integer('reported_at'),
    /** The newest check by the office; null before the first. The name stays when the admin's account is deleted. */
    checkResult: text('check_result', { enum: CHECK_RESULTS }),
    checkedAt: integer('checked_at'),
    checkedByName: text('checked_by_name'),
    checkReason: text('check_reason'),
    /** Whether an admin changed after the check what had been checked. */
    changedSinceCheck: integer('changed_since_check', { mode: 'boolean' }).notNull().default(false),
    /** The status that the newest check replaced in the same act, for its undo; null: it changed none. */
    statusBeforeCheck: text('status_before_check', { enum: RECORD_STATUSES }),
    /** The payment date that the same act replaced; a rejection may take one away. */
    paymentDateBeforeCheck: text('payment_date_before_check'),
    /** The payment before its newest change by an admin or report of its owner, for the undo; null after any other write. */
    beforeChange: text('before_change', { mode: 'json' }).$type<BeforeChange>(),
    /** The sum of the columns about reports and checks, so that indexes hold it (`checkStateOf`). */
    checkState: text('check_state', { enum: VERIFICATION_STATES }).notNull().default('none'),
    /** The time of the first rollover. It stays when the copy is deleted, so that check-year does not make it again. */
    rolledOverAt: integer('rolled_over_at'),
    ...timestampColumns,
  },
  (table) => [
    // A record has at most one successor, also when calls run in parallel (R-YEAR-7).
    uniqueIndex('tax_records_successor')
      .on(table.predecessorId)
      .where(sql`${table.predecessorId} is not null`),
    // Finds the owner of an image.
    uniqueIndex('tax_records_proof')
      .on(table.proofFile)
      .where(sql`${table.proofFile} is not null`),
    // The sum of an owner's images, which each upload asks for.
    index('tax_records_proof_bytes')
      .on(table.userId, table.proofBytes)
      .where(sql`${table.proofBytes} is not null`),
    // The own list, and the rollover of one user.
    index('tax_records_user').on(table.userId, table.createdAt, table.id),
    index('tax_records_user_year').on(table.userId, table.year, table.sptNumber),
    // Holds all columns that the sums of a period read, so that these never read the rows.
    index('tax_records_created').on(table.createdAt, table.id, table.status, table.amountSen, table.checkState),
    // Filters and sort orders of the admin list, paged by the index; more of them below.
    index('tax_records_status').on(table.status, table.createdAt, table.id),
    index('tax_records_property').on(table.propertyType, table.createdAt, table.id),
    index('tax_records_year').on(table.year, table.createdAt, table.id),
    // The sums by year and property type, also of what is overdue, read it in its own order and never the rows.
    index('tax_records_shares').on(
      table.year,
      table.propertyType,
      table.status,
      table.checkState,
      table.amountSen,
      table.dueDate,
      table.amountSource,
    ),
    // The sums of what was paid on which days.
    index('tax_records_payment')
      .on(table.paymentDate, table.amountSen, table.checkState)
      .where(sql`${table.paymentDate} is not null`),
    // Unpaid records of each owner, in the order of the owners. SQLite reads the status although the condition implies it.
    index('tax_records_unpaid')
      .on(table.userId, table.dueDate, table.year, table.amountSen, table.status, table.amountSource)
      .where(sql`${table.status} <> 'lunas'`),
    // Records that wait for the office, the oldest report first, and checked ones, the newest check first.
    index('tax_records_pending').on(table.checkState, table.reportedAt, table.id),
    index('tax_records_checked').on(table.checkState, table.checkedAt, table.id),
    // The admin list of one state, and the sum of each state; the status tells which matched ones are not paid.
    index('tax_records_check_state').on(table.checkState, table.createdAt, table.id, table.status, table.amountSen),
    index('tax_records_amount').on(table.amountSen, table.id),
    index('tax_records_name').on(table.name, table.id),
    // Sorts the admin list, and holds all columns that the sums by due date read.
    index('tax_records_due').on(table.dueDate, table.id, table.status, table.amountSen),
  ],
);

/**
 * The sums of all records with the same values of these columns, kept by triggers on `tax_records`. The columns are named as
 * there, so that a condition on records is one on these sums too.
 */
export const recordSums = sqliteTable(
  'record_sums',
  {
    id: integer('id').primaryKey(),
    year: integer('year').notNull(),
    propertyType: text('property_type', { enum: PROPERTY_TYPES }),
    status: text('status', { enum: RECORD_STATUSES }).notNull(),
    checkState: text('check_state', { enum: VERIFICATION_STATES }).notNull(),
    amountSource: text('amount_source', { enum: AMOUNT_SOURCES }).notNull(),
    dueDate: text('due_date'),
    records: integer('records').notNull(),
    /** The sum of the amounts in two halves (`db/sen-sums.ts`). */
    senHigh: integer('sen_high').notNull(),
    senLow: integer('sen_low').notNull(),
  },
  (table) => [
    // The triggers find a group by it. It is not unique, because SQLite counts nulls as different.
    index('record_sums_group').on(
      table.year,
      table.status,
      table.checkState,
      table.amountSource,
      table.propertyType,
      table.dueDate,
    ),
    // The triggers remove a group that has become empty.
    index('record_sums_empty')
      .on(table.records)
      .where(sql`${table.records} = 0`),
  ],
);

/** One row. Triggers count every change of a record that statistics may show, so that kept statistics are known to be right. */
export const recordVersion = sqliteTable('record_version', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
});

/** Triggers count the changes of the records of each part, so that what is kept of the other parts is known to be right. */
export const recordParts = sqliteTable('record_parts', {
  part: integer('part').primaryKey(),
  changes: integer('changes').notNull(),
});

/**
 * One short row for each record, kept by triggers: what a search compares first, and what it needs for the sums. A name that a
 * hundred thousand records bear is summed in a fraction of the time that their whole rows take.
 */
export const searchedRecords = sqliteTable('searched_records', {
  recordRowid: integer('record_rowid').primaryKey(),
  /** The row of `record_sums`. */
  groupId: integer('group_id').notNull(),
  amountSen: integer('amount_sen').notNull(),
  name: text('name').notNull(),
  /** The name of the account; null: the same as that of the record. It stays while the deletion of the account runs. */
  ownerName: text('owner_name'),
});

/**
 * The records that the search index `record_words`, a virtual table of migration 0025, does not hold as they are. Triggers on
 * `tax_records` and `users` note them, the record indexer brings the index up to date, and until then each search reads them.
 */
export const recordWordsPending = sqliteTable(
  'record_words_pending',
  {
    /** Of a record that is there, or was. */
    recordRowid: integer('record_rowid').primaryKey(),
    /** The texts with which the index holds the record, because it can remove no others; null: it does not hold it. */
    name: text('name'),
    address: text('address'),
    sptNumber: text('spt_number'),
    ownerName: text('owner_name'),
  },
  (table) => [
    // Replaced and deleted texts leave the index before others are added.
    index('record_words_pending_old')
      .on(table.recordRowid)
      .where(sql`${table.name} is not null`),
  ],
);

/**
 * One conversation for each user, created with the account by a trigger. What was read is stored as a position among the
 * messages, so the number of unread messages is a subtraction and cannot drift.
 */
export const conversations = sqliteTable(
  'conversations',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** 0 without messages, or after the history was deleted: such conversations come last in the list. */
    lastMessageId: integer('last_message_id').notNull().default(0),
    /** Count of all messages that each side ever sent: the `sideOrdinal` of its newest message. */
    userOrdinal: integer('user_ordinal').notNull().default(0),
    adminOrdinal: integer('admin_ordinal').notNull().default(0),
    /** The ordinal of the other side up to which this side has read. */
    userReadOrdinal: integer('user_read_ordinal').notNull().default(0),
    adminReadOrdinal: integer('admin_read_ordinal').notNull().default(0),
    /** Positions among the message ids. They only grow. */
    userSeenId: integer('user_seen_id').notNull().default(0),
    adminSeenId: integer('admin_seen_id').notNull().default(0),
    userDeliveredId: integer('user_delivered_id').notNull().default(0),
    adminDeliveredId: integer('admin_delivered_id').notNull().default(0),
    /** The last message that was deleted with the history, and how many messages were deleted. */
    clearedId: integer('cleared_id').notNull().default(0),
    clearedCount: integer('cleared_count').notNull().default(0),
    /** The time of the user's oldest message without an answer; null when an admin sent the last message. */
    unansweredSince: integer('unanswered_since'),
    /** The admin who handles it, and since when. The claim may have ended already, see R-INBOX-2. */
    claimedBy: text('claimed_by').references(() => users.id, { onDelete: 'set null' }),
    claimedAt: integer('claimed_at'),
    /** Until then it is not among those that wait. */
    snoozedUntil: integer('snoozed_until'),
    /** The user's messages up to this one need no answer; and where that position was before its last move, for the undo. */
    dismissedId: integer('dismissed_id').notNull().default(0),
    previousDismissedId: integer('previous_dismissed_id').notNull().default(0),
  },
  (table) => [
    // The filters of the inbox, each in its order. The partial ones hold only matching rows.
    index('conversations_latest').on(table.lastMessageId, table.userId),
    index('conversations_unread')
      .on(table.lastMessageId, table.userId, table.userOrdinal, table.adminReadOrdinal)
      .where(sql`${table.userOrdinal} > ${table.adminReadOrdinal}`),
    index('conversations_unanswered')
      .on(table.lastMessageId, table.userId)
      .where(sql`${table.unansweredSince} is not null`),
    // The longest wait first. Holds what filters and counts of the inbox ask.
    index('conversations_waiting')
      .on(table.unansweredSince, table.userId, table.snoozedUntil, table.claimedBy)
      .where(sql`${table.unansweredSince} is not null`),
    // Filters and counts of the inbox, and the claims and snoozes that are due.
    index('conversations_claimed')
      .on(table.claimedBy, table.lastMessageId, table.userId)
      .where(sql`${table.claimedBy} is not null`),
    index('conversations_snoozed')
      .on(table.snoozedUntil, table.userId)
      .where(sql`${table.snoozedUntil} is not null`),
  ],
);

export const messages = sqliteTable(
  'messages',
  {
    /** AUTOINCREMENT: an id is never used twice, even after the newest message was deleted. */
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The user of the conversation. No reference, as in `taxRecords`. */
    userId: text('user_id').notNull(),
    /** No reference: the messages of an admin stay when the account is deleted. */
    senderId: text('sender_id').notNull(),
    senderName: text('sender_name').notNull(),
    fromAdmin: integer('from_admin', { mode: 'boolean' }).notNull(),
    /** Emptied when the history is deleted. The row stays, so that a repeated send is still recognized. */
    content: text('content').notNull(),
    clientId: text('client_id'),
    /** 'notice': written by the server about an act on a record; it changes nothing about who waits (R-CARD-20). */
    kind: text('kind', { enum: MESSAGE_KINDS }).notNull().default('chat'),
    /** Counts of its files, so that a list need not read `attachments`. */
    photoCount: integer('photo_count').notNull().default(0),
    documentCount: integer('document_count').notNull().default(0),
    /** The record whose card it carries, and that record as it was when the message was sent. No reference: it may be deleted. */
    recordId: text('record_id'),
    recordThen: text('record_then', { mode: 'json' }).$type<StoredCardFields>(),
    /** The message before it, so that a client notices a gap (R-CHAT-2). */
    prevId: integer('prev_id'),
    /** The message of the same conversation that it quotes. */
    replyTo: integer('reply_to'),
    /** Its number among the messages of its side in this conversation, from 1. */
    sideOrdinal: integer('side_ordinal').notNull(),
    /** On the first answer to messages that waited: when the oldest of them was sent. It never changes. */
    waitedSince: integer('waited_since'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    // A page of the history, and the ordinal of the newest message of a side.
    index('messages_conversation').on(table.userId, table.id, table.fromAdmin, table.sideOrdinal),
    // The statistics of a range of time read these two alone: the answers, and how many messages came in.
    index('messages_answers')
      .on(table.createdAt, table.waitedSince, table.senderId)
      .where(sql`${table.waitedSince} is not null`),
    index('messages_incoming')
      .on(table.createdAt)
      .where(sql`${table.fromAdmin} = 0 and ${table.kind} = 'chat'`),
    // The same sender and client_id never stores a second message (R-CHAT-5).
    uniqueIndex('messages_client')
      .on(table.senderId, table.clientId)
      .where(sql`${table.clientId} is not null`),
  ],
);

/**
 * Files of messages, uploaded before the message is sent. No references, as in `messages`: a row goes before its file, and what
 * a crash leaves behind is found at the next start (R-FILE-8).
 */
export const attachments = sqliteTable(
  'attachments',
  {
    id: text('id').primaryKey(),
    uploaderId: text('uploader_id').notNull(),
    /** Whether the uploader was an admin then: only files of users count for a quota. */
    fromAdmin: integer('from_admin', { mode: 'boolean' }).notNull(),
    /** The user of the conversation and the message; both null until it is sent. */
    userId: text('user_id'),
    messageId: integer('message_id'),
    /** Its place among the files of the message, from 0. */
    position: integer('position').notNull().default(0),
    /** As the sender's device named it, cleaned. */
    name: text('name').notNull(),
    /** Names in the folder of uploads, each with the extension of the detected type. */
    file: text('file').notNull(),
    thumbFile: text('thumb_file'),
    type: text('type', { enum: ATTACHMENT_TYPES }).notNull(),
    bytes: integer('bytes').notNull(),
    thumbBytes: integer('thumb_bytes').notNull().default(0),
    /** In pixels as it is shown, so after its orientation was applied; null for a document. */
    width: integer('width'),
    height: integer('height'),
    /**
     * The name of the copy that became the proof of a record, the newest if there were several. It is no reference: the
     * record may have got another proof or been deleted since.
     */
    proofFile: text('proof_file'),
    clientId: text('client_id'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('attachments_file').on(table.file),
    uniqueIndex('attachments_thumb')
      .on(table.thumbFile)
      .where(sql`${table.thumbFile} is not null`),
    // The same uploader and client_id never stores a second file.
    uniqueIndex('attachments_client')
      .on(table.uploaderId, table.clientId)
      .where(sql`${table.clientId} is not null`),
    index('attachments_message')
      .on(table.messageId, table.position)
      .where(sql`${table.messageId} is not null`),
    index('attachments_conversation')
      .on(table.userId, table.messageId)
      .where(sql`${table.userId} is not null`),
    // Files that were never sent, by age and by uploader.
    index('attachments_unsent')
      .on(table.createdAt, table.uploaderId)
      .where(sql`${table.messageId} is null`),
    // The sum of an uploader's files, which each upload asks for.
    index('attachments_uploader').on(table.uploaderId, table.fromAdmin, table.bytes, table.thumbBytes),
  ],
);

/** Notes of admins about a conversation. They are apart from the messages, so that no query for users reads them. */
export const conversationNotes = sqliteTable(
  'conversation_notes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** No reference: the note stays when the admin's account is deleted. */
    authorId: text('author_id').notNull(),
    authorName: text('author_name').notNull(),
    content: text('content').notNull(),
    clientId: text('client_id').notNull(),
    /** The admin whom it is meant for, and when that admin opened it; no reference, as with the author. */
    forAdminId: text('for_admin_id'),
    seenAt: integer('seen_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('conversation_notes_unseen')
      .on(table.forAdminId, table.userId)
      .where(sql`${table.forAdminId} is not null and ${table.seenAt} is null`),
    index('conversation_notes_user').on(table.userId, table.id),
    uniqueIndex('conversation_notes_client').on(table.authorId, table.clientId),
  ],
);

/**
 * The newest message at each dismissal. `conversations.dismissedId` knows only the last one, and the waits of the past are
 * counted from the messages: without this a 'thank you' that needed no answer would become a wait of days.
 */
export const conversationDismissals = sqliteTable(
  'conversation_dismissals',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    messageId: integer('message_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.messageId] })],
);

/** Prepared answers of the admins, shared or of one admin. */
export const quickReplies = sqliteTable(
  'quick_replies',
  {
    id: text('id').primaryKey(),
    /** Null: shared by all admins. */
    ownerId: text('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    /** In lower case; unique among the shared ones, and among those of one admin. */
    shortcut: text('shortcut').notNull(),
    title: text('title').notNull(),
    content: text('content').notNull(),
    ...timestampColumns,
  },
  (table) => [
    uniqueIndex('quick_replies_shared')
      .on(table.shortcut)
      .where(sql`${table.ownerId} is null`),
    uniqueIndex('quick_replies_own')
      .on(table.ownerId, table.shortcut)
      .where(sql`${table.ownerId} is not null`),
  ],
);

/** When the office is open; one row, or none before an admin saved it. Times of day 'hh:mm' in the server's time zone. */
export const officeHours = sqliteTable('office_hours', {
  id: integer('id').primaryKey(),
  days: text('days', { mode: 'json' })
    .$type<{ weekday: number; open: string | null; close: string | null }[]>()
    .notNull(),
  holidays: text('holidays', { mode: 'json' }).$type<{ date: string; name: string }[]>().notNull(),
  /** When the office closed early; for the rest of that day. */
  closedAt: integer('closed_at'),
  updatedAt: integer('updated_at').notNull(),
});

/** The office's name and addresses on screens and papers; one row, or none before an admin saved it (R-OFFICE-11). */
export const officeIdentity = sqliteTable('office_identity', {
  id: integer('id').primaryKey(),
  name: text('name').notNull().default(''),
  address: text('address').notNull().default(''),
  phone: text('phone').notNull().default(''),
  whatsapp: text('whatsapp').notNull().default(''),
  /** Name of the cleaned image in the folder of uploads; each logo has a new one. */
  logoFile: text('logo_file'),
  updatedAt: integer('updated_at').notNull(),
});

/** The tax years that users may enter, and what a new year does; one row, or none while the defaults hold (R-YEAR-12). */
export const recordSettings = sqliteTable('record_settings', {
  id: integer('id').primaryKey(),
  userYears: text('user_years', { mode: 'json' }).$type<number[]>().notNull(),
  rollover: text('rollover', { enum: ROLLOVER_MODES }).notNull(),
  updatedAt: integer('updated_at').notNull(),
});

/** The first steps of a new office that no other data shows as done, or that an admin dismissed (R-OFFICE-12). */
export const firstSteps = sqliteTable(
  'first_steps',
  {
    step: text('step', { enum: FIRST_STEPS }).notNull(),
    /** The admin whom the step concerns; empty: the whole office. */
    adminId: text('admin_id').notNull().default(''),
    state: text('state', { enum: ['done', 'dismissed'] }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.step, table.adminId] })],
);

/**
 * The messages in the search index: those after `afterId` and up to `upToId`. It grows at both ends, towards new messages and,
 * after an update from a version without it, towards the first one. One row. The index itself, `message_words`, is a virtual
 * table, which Drizzle does not know; migration 0009 makes it.
 */
export const messageIndex = sqliteTable('message_index', {
  id: integer('id').primaryKey(),
  afterId: integer('after_id').notNull(),
  upToId: integer('up_to_id').notNull(),
});

/**
 * Accounts that are deleted while their records and messages are still being removed in steps (R-USER-7). Their rows are
 * in no answer: their owner has no row in `users`, and `server/accounts/deleted-account-queries.ts` leaves them out of the sums.
 */
export const accountDeletions = sqliteTable('account_deletions', {
  userId: text('user_id').primaryKey(),
  /** The admin who deleted it, for the audit of each record. */
  actorId: text('actor_id').notNull(),
  actorName: text('actor_name').notNull(),
  createdAt: integer('created_at').notNull(),
});

/** The parts of a village: dusun, RW, RT. A part has a larger kind of area above it, or none (R-DHKP-20). */
export const areas = sqliteTable(
  'areas',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind', { enum: AREA_KINDS }).notNull(),
    parentId: text('parent_id').references((): AnySQLiteColumn => areas.id),
    /** The parent and the comparable name: names are unique below one parent. */
    uniqueName: text('unique_name').notNull(),
    ...timestampColumns,
  },
  (table) => [uniqueIndex('areas_unique_name').on(table.uniqueName), index('areas_parent').on(table.parentId)],
);

/**
 * An object with what is remembered over the years: the next list gets the same area and collector. The list of the office
 * stands beside the records (R-DHKP-1).
 */
export const objects = sqliteTable(
  'objects',
  {
    nop: text('nop').primaryKey(),
    areaId: text('area_id').references(() => areas.id),
    /** No reference: the account may have hundreds of objects, and is deleted in one transaction. */
    collectorId: text('collector_id'),
    /** The account of the owner, for all years. */
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    linkedAt: integer('linked_at'),
    ...timestampColumns,
  },
  (table) => [
    index('objects_area')
      .on(table.areaId)
      .where(sql`${table.areaId} is not null`),
    index('objects_user')
      .on(table.userId, table.nop)
      .where(sql`${table.userId} is not null`),
  ],
);

/** One object in one tax year, a row of the list of the office. */
export const assessments = sqliteTable(
  'assessments',
  {
    id: text('id').primaryKey(),
    nop: text('nop')
      .notNull()
      .references(() => objects.nop),
    year: integer('year').notNull(),
    /** Digits 11 to 13 of the NOP. */
    block: text('block').notNull(),
    /** From here to `paidBatchId` only a file decides. */
    name: text('name'),
    payerAddress: text('payer_address'),
    objectAddress: text('object_address'),
    landM2: real('land_m2'),
    buildingM2: real('building_m2'),
    njopSen: integer('njop_sen'),
    amountSen: integer('amount_sen').notNull(),
    dueDate: text('due_date'),
    oldNumber: text('old_number'),
    /** The book as the file says it; the amount decides which one it is. */
    fileBook: text('file_book'),
    dusun: text('dusun'),
    rt: text('rt'),
    rw: text('rw'),
    /** The three before it in a comparable form (`placeKey`); null without any of them. */
    placeKey: text('place_key'),
    fileCollector: text('file_collector'),
    isListed: integer('is_listed', { mode: 'boolean' }).notNull(),
    /** A payment as the tax office says it; no date and no amount are invented. */
    paidOn: text('paid_on'),
    paidAmountSen: integer('paid_amount_sen'),
    paidFineSen: integer('paid_fine_sen'),
    paidPlace: text('paid_place'),
    /** The batch that said it; null: nothing was said to be paid. */
    paidBatchId: text('paid_batch_id'),
    /** From here on only the office decides. */
    condition: text('condition', { enum: OBJECT_CONDITIONS }).notNull(),
    note: text('note'),
    handedOutOn: text('handed_out_on'),
    handedOutTo: text('handed_out_to'),
    areaId: text('area_id').references(() => areas.id),
    /** No reference, as in `objects`. */
    collectorId: text('collector_id'),
    ...timestampColumns,
  },
  (table) => [
    // An object has one assessment a year; also the history of an object.
    uniqueIndex('assessments_object').on(table.nop, table.year),
    // Holds all columns of filters, searches and sums in the order of the list, so that these never read the rows.
    index('assessments_list').on(
      table.year,
      table.nop,
      table.name,
      table.objectAddress,
      table.payerAddress,
      table.block,
      table.areaId,
      table.placeKey,
      table.collectorId,
      table.condition,
      table.isListed,
      table.handedOutOn,
      table.paidBatchId,
      table.amountSen,
    ),
    // The next one of different places follows without reading all rows.
    index('assessments_places')
      .on(table.placeKey)
      .where(sql`${table.placeKey} is not null`),
    index('assessments_area')
      .on(table.areaId, table.nop)
      .where(sql`${table.areaId} is not null`),
  ],
);

/** One import of a list. Its rows are in `dhkpBatchRows` from the reading on. */
export const dhkpBatches = sqliteTable(
  'dhkp_batches',
  {
    id: text('id').primaryKey(),
    byId: text('by_id').notNull(),
    byName: text('by_name').notNull(),
    clientId: text('client_id').notNull(),
    year: integer('year').notNull(),
    /** Pasted cells, stored as a file too. */
    isPasted: integer('is_pasted', { mode: 'boolean' }).notNull(),
    /** Its name in the folder of uploads; null when it is kept no longer (R-DHKP-9). */
    file: text('file'),
    fileName: text('file_name').notNull(),
    bytes: integer('bytes').notNull(),
    sha256: text('sha256').notNull(),
    /** `reverting` is `applying` in answers: the rows are being put back. */
    state: text('state', {
      enum: ['reading', 'mapping', 'ready', 'applying', 'applied', 'reverting', 'reverted', 'failed'],
    }).notNull(),
    /** The reason of a failure. */
    message: text('message'),
    kind: text('kind', { enum: BATCH_KINDS }).notNull(),
    isComplete: integer('is_complete', { mode: 'boolean' }).notNull(),
    /** The choices of an admin; what is absent is proposed by the reading. */
    choices: text('choices', { mode: 'json' }).$type<StoredChoices>().notNull(),
    findings: text('findings', { mode: 'json' }).$type<StoredFindings>(),
    counts: text('counts', { mode: 'json' }).$type<StoredBatchCounts>(),
    computed: text('computed', { mode: 'json' }).$type<StoredComputed>(),
    /** Names the stored rows: a new reading has a new one, and the rows of another are left over. */
    previewId: text('preview_id'),
    /** The version of the year's list with which the preview was compared. */
    listVersion: integer('list_version'),
    /** The row up to which it is applied, and the number of rows. */
    doneRows: integer('done_rows').notNull(),
    totalRows: integer('total_rows').notNull(),
    controlReason: text('control_reason'),
    revertReason: text('revert_reason'),
    /** The admin who applied it or takes it back, for the audit of the records that its steps change. */
    actorId: text('actor_id'),
    actorName: text('actor_name'),
    createdAt: integer('created_at').notNull(),
    appliedAt: integer('applied_at'),
    revertedAt: integer('reverted_at'),
  },
  (table) => [
    // The same uploader and client_id never stores a second batch.
    uniqueIndex('dhkp_batches_client').on(table.byId, table.clientId),
    uniqueIndex('dhkp_batches_file')
      .on(table.file)
      .where(sql`${table.file} is not null`),
    index('dhkp_batches_created').on(table.createdAt, table.id),
    index('dhkp_batches_state').on(table.state, table.year),
  ],
);

/** The rows of the preview of a batch, in the order of the file; those that are missing in it follow. */
export const dhkpBatchRows = sqliteTable(
  'dhkp_batch_rows',
  {
    previewId: text('preview_id').notNull(),
    /** From 1. */
    position: integer('position').notNull(),
    status: text('status', {
      enum: ['new', 'changed', 'same', 'gone', 'problem', 'other_village', 'total'],
    }).notNull(),
    hasWarning: integer('has_warning', { mode: 'boolean' }).notNull(),
    nop: text('nop'),
    data: text('data', { mode: 'json' }).$type<StoredRowData>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.previewId, table.position] }),
    index('dhkp_batch_rows_status').on(table.previewId, table.status, table.position),
    index('dhkp_batch_rows_warning').on(table.previewId, table.position).where(isTrue(table.hasWarning)),
    index('dhkp_batch_rows_nop')
      .on(table.previewId, table.nop)
      .where(sql`${table.nop} is not null`),
  ],
);

/** The assessments that a batch changed, as they were before it. */
export const dhkpChanges = sqliteTable(
  'dhkp_changes',
  {
    batchId: text('batch_id').notNull(),
    assessmentId: text('assessment_id').notNull(),
    /** The whole row; null: the batch added it. */
    before: text('before', { mode: 'json' }).$type<typeof assessments.$inferSelect>(),
    /** Whether the batch also added the object. */
    hasAddedObject: integer('has_added_object', { mode: 'boolean' }).notNull(),
    /** The `updated_at` that the batch gave it: a later one says that the row was changed since. */
    updatedAt: integer('updated_at').notNull(),
    /** The record of the linked account that the batch made or joined, as it left it; null: none. No reference. */
    recordId: text('record_id'),
    recordUpdatedAt: integer('record_updated_at'),
    /** That record before; null: the batch made it. */
    recordBefore: text('record_before', { mode: 'json' }).$type<typeof taxRecords.$inferSelect>(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.assessmentId] })],
);

/** A user's request that the office links an object to the account. It is stored without any look at the list (R-DHKP-33). */
export const objectClaims = sqliteTable(
  'object_claims',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the user typed its digits; the list may not have it. */
    nop: text('nop').notNull(),
    note: text('note'),
    /** A file of the conversation; no reference, because the history may be deleted. */
    attachmentId: text('attachment_id'),
    state: text('state', { enum: CLAIM_STATES }).notNull(),
    reason: text('reason'),
    /** The name of the admin who answered; it stays when the account is deleted. */
    answeredBy: text('answered_by'),
    ...timestampColumns,
  },
  (table) => [
    // Of two equal requests at once one is stored.
    uniqueIndex('object_claims_open')
      .on(table.userId, table.nop)
      .where(sql`${table.state} = 'open'`),
    index('object_claims_user').on(table.userId, table.createdAt, table.id),
    index('object_claims_state').on(table.state, table.createdAt, table.id),
    index('object_claims_nop').on(table.nop),
  ],
);

/** Counts the imports and their reverts of each year, so that an older preview is noticed. */
export const dhkpYears = sqliteTable('dhkp_years', {
  year: integer('year').primaryKey(),
  version: integer('version').notNull(),
});

/** The area of the objects of a block that have none of their own. */
export const dhkpBlocks = sqliteTable(
  'dhkp_blocks',
  {
    block: text('block').primaryKey(),
    areaId: text('area_id')
      .notNull()
      .references(() => areas.id, { onDelete: 'cascade' }),
  },
  (table) => [index('dhkp_blocks_area').on(table.areaId)],
);

/** Choices for all lists; one row, or none while the defaults hold (R-DHKP-14). */
export const dhkpSettings = sqliteTable('dhkp_settings', {
  id: integer('id').primaryKey(),
  /** The first ten digits of the village, for short NOPs. */
  prefix: text('prefix'),
  /** The largest amounts of books 1 to 4, in rupiah. */
  bookLimits: text('book_limits', { mode: 'json' }).$type<number[]>().notNull(),
  /** For assessments whose file has no due date. */
  dueDateByYear: text('due_date_by_year', { mode: 'json' }).$type<Record<string, string>>().notNull(),
  updatedAt: integer('updated_at').notNull(),
});

/** Columns and header row that an admin chose, for the next file with the same headers. */
export const dhkpLayouts = sqliteTable('dhkp_layouts', {
  /** The headers as JSON. */
  headers: text('headers').primaryKey(),
  headerRow: integer('header_row').notNull(),
  columns: text('columns', { mode: 'json' }).$type<Record<string, number>>().notNull(),
  updatedAt: integer('updated_at').notNull(),
});

/** The audit. Triggers keep it append-only. It refers to no other row, so that an entry outlives its subject. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    action: text('action', {
      enum: [
        'record.created',
        'record.updated',
        'record.deleted',
        'record.checked',
        'record.check_undone',
        'user.created',
        'user.updated',
        'user.deleted',
        'password.changed',
        'conversation.deleted',
        'note.deleted',
        'conversation.taken',
        'office.updated',
        'settings.identity',
        'settings.records',
        'settings.retention',
        'retention.ran',
        'backup.started',
        'backup.downloaded',
        'dhkp.applied',
        'dhkp.reverted',
        'dhkp.changed',
        'dhkp.linked',
        'dhkp.unlinked',
        'claim.approved',
        'claim.rejected',
        'area.created',
        'area.updated',
        'area.deleted',
        'user.recovery_code',
        'user.card',
        'user.second_factor',
        'user.erasure',
      ],
    }).notNull(),
    actorId: text('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    actorIsAdmin: integer('actor_is_admin', { mode: 'boolean' }).notNull(),
    subjectId: text('subject_id').notNull(),
    subjectLabel: text('subject_label').notNull(),
    /** `[{ field, from, to }]` with the names and units of the API. */
    changes: text('changes', { mode: 'json' })
      .$type<{ field: string; from: string | number | boolean | null; to: string | number | boolean | null }[]>()
      .notNull(),
    /** Every other admin sees a notice of it until confirming it (R-USER-17). */
    isNotice: integer('is_notice', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    // The filters of the audit, newest first.
    index('audit_subject').on(table.subjectId, table.id),
    index('audit_actor').on(table.actorId, table.id),
    index('audit_action').on(table.action, table.id),
    // Few of very many entries; each page of the admin area asks for them.
    index('audit_notices').on(table.id).where(isTrue(table.isNotice)),
  ],
);

/** Wrong tries by what they are counted for (R-ACCESS-2); no row: none that matters. */
export const wrongTries = sqliteTable(
  'wrong_tries',
  {
    key: text('key').primaryKey(),
    tries: text('tries', { mode: 'json' }).$type<Tries>().notNull(),
    /** In operating time: when the row was written, and from when on it changes no answer; null: never. */
    at: integer('at').notNull(),
    forgottenAt: integer('forgotten_at'),
  },
  (table) => [index('wrong_tries_forgotten').on(table.forgottenAt)],
);

/** The own log of each account (R-ACCESS-3). Triggers keep it append-only until the account goes. */
export const securityLog = sqliteTable(
  'security_log',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: integer('at').notNull(),
    event: text('event', { enum: SECURITY_EVENTS }).notNull(),
    /** The account that did it, which may be gone by now. */
    byId: text('by_id').notNull(),
    byName: text('by_name').notNull(),
    how: text('how', { enum: SECURITY_HOWS }),
  },
  (table) => [index('security_log_user').on(table.userId, table.id)],
);

/** Which versions of the legal texts an account has accepted, and when (R-ACCESS-81). */
export const consents = sqliteTable(
  'consents',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    document: text('document', { enum: LEGAL_DOCUMENTS }).notNull(),
    version: text('version').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.document, table.version] })],
);

/** The last copy of the own data that an account asked for; its file is in no archive (R-ACCESS-77). */
export const dataExports = sqliteTable('data_exports', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  state: text('state', { enum: ['running', 'ready', 'failed'] }).notNull(),
  /** Its name in the folder of copies, and its size when it is ready. */
  file: text('file').notNull(),
  bytes: integer('bytes'),
  /** Since when it is in this state, in operating time. */
  since: integer('since').notNull(),
});

/** Open requests for a way back in (R-ACCESS-12). All times but `askedAt` are of the computer's clock, that is operating time. */
export const recoveryRequests = sqliteTable(
  'recovery_requests',
  {
    id: text('id').primaryKey(),
    /** 'user' with an id, 'phone' with a number of several accounts, or 'unknown': one row for all unknown identifiers. */
    subject: text('subject').notNull(),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    phone: text('phone'),
    kind: text('kind', { enum: IDENTIFIER_KINDS }).notNull(),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    askedAt: integer('asked_at').notNull(),
  },
  (table) => [uniqueIndex('recovery_requests_subject').on(table.subject)],
);

/**
 * The last request of each account to be deleted (R-ACCESS-85). It goes with the account, so an approved one is never stored. All
 * times but `askedAt` are of the computer's clock, that is operating time.
 */
export const erasureRequests = sqliteTable(
  'erasure_requests',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ['open', 'rejected', 'withdrawn'] }).notNull(),
    /** Of its owner, and after a rejection that of the office. */
    reason: text('reason'),
    dueAt: integer('due_at').notNull(),
    askedAt: integer('asked_at').notNull(),
    ...timestampColumns,
  },
  (table) => [
    uniqueIndex('erasure_requests_user').on(table.userId),
    // The open ones, the nearest deadline first.
    index('erasure_requests_state').on(table.state, table.dueAt, table.id),
  ],
);

/**
 * Codes of the office that are not used yet, one of an account (R-ACCESS-13). Triggers on `users` delete them with a new password, a
 * deactivation or a new role of the account, and when their maker loses the role.
 */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A keyed hash of the first characters, by which one code is found and checked. */
    selector: text('selector').notNull(),
    codeHash: text('code_hash').notNull(),
    madeBy: text('made_by')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    checked: text('checked', { enum: CHECKED_BY }).notNull(),
    /** In operating time. */
    madeAt: integer('made_at').notNull(),
  },
  (table) => [
    uniqueIndex('recovery_codes_selector').on(table.selector),
    index('recovery_codes_maker').on(table.madeBy),
  ],
);

/**
 * Cards, one of an account (R-ACCESS-40). Triggers delete a card when its account becomes an admin's, and with it its sessions and
 * the counts of its wrong tries.
 */
export const cards = sqliteTable(
  'cards',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The keyed hash of its code, by which it is found. */
    lookup: text('lookup').notNull(),
    /** Null until its holder has chosen a PIN. */
    pinHash: text('pin_hash'),
    /** Null once it was used. */
    activationHash: text('activation_hash'),
    wrongActivations: integer('wrong_activations').notNull().default(0),
    /** The admin who made it, who may be gone by now. */
    madeBy: text('made_by').notNull(),
    madeAt: integer('made_at').notNull(),
    /** When it was made, in operating time. */
    issuedAt: integer('issued_at').notNull(),
    activatedAt: integer('activated_at'),
  },
  (table) => [uniqueIndex('cards_lookup').on(table.lookup)],
);

/**
 * Second factors, one of an account (R-ACCESS-60). Triggers delete the tickets and spare codes with it, and one that is not confirmed
 * when the account changes its role.
 */
export const secondFactors = sqliteTable('second_factors', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Sealed with the key of the computer: codes are computed from it, so a hash would not do. */
  secret: text('secret').notNull(),
  /** When it was made, in operating time. */
  madeAt: integer('made_at').notNull(),
  /** Null until a first code was right; until then it asks for nothing. */
  confirmedAt: integer('confirmed_at'),
  /** The time step of the newest code that was used: none counts twice. */
  lastStep: integer('last_step').notNull().default(0),
});

/** The spare codes of a second factor that are not used yet. */
export const spareCodes = sqliteTable(
  'spare_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The first two characters, by which one code is found and checked; the hash covers all of it. */
    beginning: text('beginning').notNull(),
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.beginning] })],
);

/**
 * Ways in that wait for the second factor. Triggers delete them with a new password, a deactivation or a new role of the account,
 * with its second factor, and those of a card with the card.
 */
export const loginTickets = sqliteTable(
  'login_tickets',
  {
    /** SHA-256: a ticket has 256 random bits. */
    ticketHash: text('ticket_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    entry: text('entry', { enum: SESSION_ENTRIES }).notNull(),
    /** Of a sign-in with a code of the office: the hash of the new password, which the account gets after the second step. */
    passwordHash: text('password_hash'),
    /** In operating time. */
    madeAt: integer('made_at').notNull(),
    wrong: integer('wrong').notNull().default(0),
  },
  (table) => [index('login_tickets_user').on(table.userId), index('login_tickets_made').on(table.madeAt)],
);

/** Codes with which admins may set up a second factor, one of an account (R-ACCESS-70). */
export const setupCodes = sqliteTable(
  'setup_codes',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
    /** The admin who made it, or the command line. */
    madeBy: text('made_by').notNull(),
    /** In operating time. */
    madeAt: integer('made_at').notNull(),
  },
  (table) => [index('setup_codes_maker').on(table.madeBy)],
);

/** The last time that an admin took the second factor of an account away (R-ACCESS-68). */
export const factorRemovals = sqliteTable('factor_removals', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  removedBy: text('removed_by').notNull(),
  /** In operating time. */
  removedAt: integer('removed_at').notNull(),
});

/** Numbers that an account has given up within the last days (R-ACCESS-11). */
export const formerPhones = sqliteTable(
  'former_phones',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    phone: text('phone').notNull(),
    /** In operating time. */
    until: integer('until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.phone, table.userId] }),
    index('former_phones_until').on(table.until),
    index('former_phones_user').on(table.userId),
  ],
);

/** Addresses that an account has given up within the last days (R-ACCESS-17). */
export const formerEmails = sqliteTable(
  'former_emails',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    changedAt: integer('changed_at').notNull(),
    /** In operating time. */
    until: integer('until').notNull(),
  },
  (table) => [
    index('former_emails_email').on(table.email),
    index('former_emails_user').on(table.userId),
    index('former_emails_until').on(table.until),
  ],
);

/** The time for which the office keeps messages and unused accounts; one row, or none before an admin saved it (R-ACCESS-91). */
export const retention = sqliteTable('retention', {
  id: integer('id').primaryKey(),
  /** Months; 0: for ever. */
  messagesMonths: integer('messages_months').notNull(),
  accountsMonths: integer('accounts_months').notNull(),
  /** Counts the announcements; a deletion follows 30 days of operating time after the last one. */
  announcement: integer('announcement').notNull(),
  announcedAt: integer('announced_at').notNull(),
  announcedById: text('announced_by_id').notNull(),
  announcedByName: text('announced_by_name').notNull(),
  announcedOperating: integer('announced_operating').notNull(),
  /** Counts how often it changed from 'for ever' to a term, and the clocks and the newest message then. Ages follow from these. */
  series: integer('series').notNull(),
  anchorAt: integer('anchor_at').notNull(),
  anchorOperating: integer('anchor_operating').notNull(),
  anchorMessageId: integer('anchor_message_id').notNull(),
  /** Every message up to this one is deleted already. */
  messagesUpToId: integer('messages_up_to_id').notNull().default(0),
  /** When the last run ended, in operating time, and what the present one has deleted so far. */
  lastRunOperating: integer('last_run_operating').notNull(),
  runMessages: integer('run_messages').notNull().default(0),
  runAccounts: integer('run_accounts').notNull().default(0),
  /** The last run that deleted something, for the page. */
  lastAt: integer('last_at'),
  lastMessages: integer('last_messages').notNull().default(0),
  lastAccounts: integer('last_accounts').notNull().default(0),
});

/** The newest message of each night with the operating time: no clock makes the messages up to it older than that. */
export const retentionMarks = sqliteTable('retention_marks', {
  messageId: integer('message_id').primaryKey(),
  operating: integer('operating').notNull(),
});

/**
 * When each account was in use. Triggers on `sessions` note the entries and the last use of sessions that ended; the other columns
 * are what the night looks found (R-ACCESS-93).
 */
export const accountActivity = sqliteTable('account_activity', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  entries: integer('entries').notNull().default(0),
  /** By the clock of the computer. */
  lastSeenAt: integer('last_seen_at').notNull().default(0),
  /** Of the looks below; those of an earlier series count for nothing. */
  series: integer('series').notNull().default(0),
  /** Changes with each use. */
  stamp: text('stamp').notNull().default(''),
  /** The operating time of the look that found this stamp first. */
  since: integer('since').notNull().default(0),
  /** Whether the first look of the series found it, so that the use may be older than the look. */
  isFirst: integer('is_first', { mode: 'boolean' }).notNull().default(false),
});
