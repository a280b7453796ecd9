import { senToRupiah } from '#shared/domain/money/rupiah.ts';
import {
  type ColumnOf,
  fieldsWhere,
  mapFields,
  TAX_RECORD_FIELDS,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import { STAFF_NAME } from '#shared/texts.ts';
import { type FactorRow, findFactor } from '#server/accounts/second-factor/factor-queries.ts';
import { listSecurityEvents, type SecurityRow } from '#server/accounts/security-log-queries.ts';
import type { UserRow } from '#server/accounts/user-queries.ts';
import { AUTOMATIC_NAME } from '#server/audit/audit-log.ts';
import { listConsents } from '#server/consents/consent-queries.ts';
import type { Connection } from '#server/db/engine.ts';
import { presentVerification } from '#server/records/verification-state.ts';
import { type CopiedFile, type CopiedFiles, type OwnMessage, readConversation } from './conversation.ts';
import * as queries from './own-data-queries.ts';

/** The images and documents that the copy holds. */
export type Copied = {
  /** By message. */
  files: CopiedFiles;
  /** Paths in the copy by record. */
  proofs: ReadonlyMap<string, string>;
};

const SECURITY_LOG_MAX = 1_000_000;

/** The fields that the history of a record may show; another one could name somebody else. */
const HISTORY_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsWhere({ audited: true }),
  'verification',
  'verification_reason',
  'copied_from_year',
  'automatic_from_year',
  'list_year',
]);

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Nothing is here by accident: a new column is in no copy before somebody adds it. */
const presentAccount = (user: UserRow, factor: FactorRow | undefined) => ({
  name: user.name,
  email: hasEmail(user.email) ? user.email : null,
  account_address: user.email,
  phone: user.phone,
  phone_consent_at: iso(user.phoneConsentAt),
  role: user.isAdmin ? 'admin' : 'user',
  is_active: user.isActive,
  password_changed_at: user.passwordChangedAt === 0 ? null : iso(user.passwordChangedAt),
  second_factor_since: iso(factor?.confirmedAt ?? null),
  created_at: iso(user.createdAt),
  updated_at: iso(user.updatedAt),
});

const presentEvent = (user: UserRow, { at, event, how, byId, byName }: SecurityRow) => ({
  at: iso(at),
  event,
  by_name: byId === user.id ? byName : STAFF_NAME,
  how,
});

const presentSession = ({ createdAt, lastSeenAt, expiresAt, userAgent, address, entry }: queries.OwnSessionRow) => ({
  created_at: iso(createdAt),
  last_seen_at: iso(lastSeenAt),
  expires_at: iso(expiresAt),
  user_agent: userAgent,
  address,
  entry,
});

function actorOf({ actorIsAdmin, actorName, actorId }: queries.RecordEntry, userId: string): string {
  if (actorName === AUTOMATIC_NAME) return actorName;
  return actorId === userId && !actorIsAdmin ? actorName : STAFF_NAME;
}

const presentEntry = (entry: queries.RecordEntry, userId: string) => ({
  at: iso(entry.at),
  action: entry.action,
  by_name: actorOf(entry, userId),
  changes: entry.changes.filter(({ field }) => HISTORY_FIELDS.has(field)),
});

type StoredFields = { [Field in TaxRecordField]: queries.OwnRecordRow[ColumnOf<Field>] };

function presentRecord(record: queries.OwnRecordRow, proof: string | null) {
  const { state, at, by_name: checkedBy, reason } = presentVerification(record);
  return {
    id: record.id,
    ...mapFields<StoredFields>(TAX_RECORD_FIELDS, (field) => record[taxRecordFields[field].column]),
    amount: senToRupiah(record.amountSen),
    amount_source: record.amountSource,
    payment_proof: proof,
    payment_reported_at: iso(record.reportedAt),
    verification: { state, at, by_name: checkedBy === null ? null : STAFF_NAME, reason },
    created_at: iso(record.createdAt),
    updated_at: iso(record.updatedAt),
  };
}

const presentClaim = (claim: queries.OwnClaimRow) => ({
  nop: claim.nop,
  note: claim.note,
  state: claim.state,
  reason: claim.reason,
  answered_by: claim.answeredBy === null ? null : STAFF_NAME,
  created_at: iso(claim.createdAt),
  updated_at: iso(claim.updatedAt),
});

const presentFile = ({ name, path, type }: CopiedFile) => ({ name, file: path, type });
const presentMessage = ({ isOwn: _isOwn, files, ...message }: OwnMessage) => ({
  ...message,
  files: files.map(presentFile),
});

async function* readRecords(orm: Connection, userId: string, { proofs }: Copied): AsyncGenerator<object> {
  for await (const record of queries.readRecords(orm, userId)) {
    const entries = await queries.readRecordEntries(orm, record.id);
    const history = entries.map((entry) => presentEntry(entry, userId));
    yield { ...presentRecord(record, proofs.get(record.id) ?? null), history };
  }
}

async function* presentMessages(orm: Connection, userId: string, { files }: Copied): AsyncGenerator<object> {
  for await (const message of readConversation(orm, userId, files)) yield presentMessage(message);
}

/** A field with a list, one item in each line. */
async function* writeList(
  name: string,
  items: Iterable<object> | AsyncIterable<object>,
  isLast = false,
): AsyncGenerator<string> {
  let before = '';
  yield `  ${JSON.stringify(name)}: [`;
  for await (const item of items) {
    yield `${before}\n    ${JSON.stringify(item)}`;
    before = ',';
  }
  yield `${before === '' ? '' : '\n  '}]${isLast ? '\n' : ',\n'}`;
}

/** The own data for programs, piece by piece: a conversation may be longer than the memory that a thread has. */
export async function* writeDataJson(
  orm: Connection,
  user: UserRow,
  copied: Copied,
  nowMs: number,
): AsyncGenerator<string> {
  const { id } = user;
  yield `{\n  "made_at": ${JSON.stringify(iso(nowMs))},\n  "account": ${JSON.stringify(presentAccount(user, await findFactor(orm, id)))},\n`;
  const accepted = await listConsents(orm, id);
  yield* writeList(
    'consents',
    accepted.map(({ document, version, at }) => ({ document, version, at: iso(at) })),
  );
  const events = await listSecurityEvents(orm, id, SECURITY_LOG_MAX);
  yield* writeList(
    'security_log',
    events.map((event) => presentEvent(user, event)),
  );
  yield* writeList('sessions', (await queries.readSessions(orm, id)).map(presentSession));
  const linked = await queries.readLinkedObjects(orm, id);
  yield* writeList(
    'linked_objects',
    linked.map(({ nop, linkedAt }) => ({ nop, linked_at: iso(linkedAt) })),
  );
  yield* writeList('claims', (await queries.readClaims(orm, id)).map(presentClaim));
  yield* writeList('records', readRecords(orm, id, copied));
  yield* writeList('messages', presentMessages(orm, id, copied), true);
  yield '}\n';
}
