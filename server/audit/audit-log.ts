import type { AuditAction, AuditChange } from '#shared/api/audit.ts';
import type { RecordSettings } from '#shared/api/tax-records/record-settings.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { isAdminChange } from '#shared/domain/users/admin-change.ts';
import { senToRupiah } from '#shared/domain/money/rupiah.ts';
import {
  type ColumnOf,
  type FieldWhere,
  fieldsWhere,
  mapFields,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { clipChange } from './clip-change.ts';
import { type CheckColumns, presentVerification } from '../records/verification-state.ts';
import { findSubjectUser, insertEntries, insertEntry } from './audit-log-queries.ts';

type AuditedRecordField = FieldWhere<{ audited: true }>;
type AuditedRecord = { [Field in AuditedRecordField as ColumnOf<Field>]: string | number | null } & {
  id: string;
  name: string;
  sptNumber: string;
  year: number;
  amountSen: number;
};
type AuditedUser = {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  isActive: boolean;
  phone: string | null;
};
type AuditedFields = Record<string, AuditChange['from']>;
export type Actor = Pick<CurrentUser, 'id' | 'name' | 'isAdmin'>;
type Subject = { id: string; label: string };

/** Lists the fields that entries may hold. A field that is missing here, as the password hash, can never be stored. */
type SubjectKind<T> = {
  actions: Record<'created' | 'updated' | 'deleted', AuditAction>;
  fieldsOf: (one: T) => AuditedFields;
  /** Whether every other admin is told (R-USER-17). */
  isNotice: (before: T | null, after: T | null) => boolean;
};

const recordKind: SubjectKind<AuditedRecord> = {
  actions: { created: 'record.created', updated: 'record.updated', deleted: 'record.deleted' },
  // Names and units as in the API.
  fieldsOf(record) {
    const values = mapFields<Record<AuditedRecordField, AuditChange['from']>>(
      fieldsWhere({ audited: true }),
      (field) => record[taxRecordFields[field].column],
    );
    return { ...values, amount: senToRupiah(record.amountSen) };
  },
  isNotice: () => false,
};
/** The number itself is in no entry: it can never be removed again. */
const PHONE_FIELD = 'own_phone';
const userFields = ({ name, email, isAdmin, isActive, phone }: AuditedUser) => ({
  name,
  email,
  is_admin: isAdmin,
  is_active: isActive,
  [PHONE_FIELD]: phone,
});
const userKind: SubjectKind<AuditedUser> = {
  actions: { created: 'user.created', updated: 'user.updated', deleted: 'user.deleted' },
  fieldsOf: userFields,
  isNotice: (before, after) =>
    isAdminChange(before && userFields(before), after && userFields(after)) ||
    (before?.isAdmin === true && after !== null && before.phone !== after.phone),
};

function checkedFields(record: AuditedRecord & CheckColumns): AuditedFields {
  const { state, reason } = presentVerification(record);
  return { ...recordKind.fieldsOf(record), verification: state, verification_reason: reason };
}

const recordSubject = (record: AuditedRecord): Subject => ({
  id: record.id,
  label: `${record.sptNumber} · ${record.year} · ${record.name}`,
});
const userSubject = ({ id, name, email }: Pick<AuditedUser, 'id' | 'name' | 'email'>): Subject => ({
  id,
  label: `${name} (${email})`,
});

const IDENTITY_SUBJECT: Subject = { id: 'office', label: 'identitas kantor' };
type AuditedIdentity = Record<'name' | 'address' | 'phone' | 'whatsapp', string> & { logoFile: string | null };
/** Empty texts are null, so that a text that was added is told from one that changed. */
const identityFields = ({ name, address, phone, whatsapp, logoFile }: AuditedIdentity): AuditedFields => ({
  name: name || null,
  address: address || null,
  phone: phone || null,
  whatsapp: whatsapp || null,
  logo: logoFile,
});

const OFFICE_SUBJECT: Subject = { id: 'office', label: 'jam layanan' };
const RECORD_SETTINGS_SUBJECT: Subject = { id: 'record-settings', label: 'pengaturan data PBB' };
/** `parent`: the name of the area above it. */
type AuditedArea = { id: string; name: string; kind: string; parent: string | null };
const areaKind: SubjectKind<AuditedArea> = {
  actions: { created: 'area.created', updated: 'area.updated', deleted: 'area.deleted' },
  fieldsOf: ({ name, kind, parent }) => ({ name, kind, parent }),
  isNotice: () => false,
};
const areaSubject = ({ id, name }: AuditedArea): Subject => ({ id, label: name });

type AuditedObject = { id: string; nop: string; year: number; name: string | null };
const objectSubject = ({ id, nop, year, name }: AuditedObject): Subject => ({
  id,
  label: ['objek', formatNop(nop), '·', year, '·', name ?? '(tanpa nama)'].join(' '),
});
type AuditedBatch = { id: string; fileName: string; year: number };
const batchSubject = ({ id, fileName, year }: AuditedBatch): Subject => ({ id, label: `${fileName} · ${year}` });
const DHKP_SETTINGS_SUBJECT: Subject = { id: 'dhkp-settings', label: 'pengaturan daftar objek' };

/** Clients that do not know automatic copies show it as the name of who made them. */
export const AUTOMATIC_NAME = 'Otomatis';
/** The actor of what the program deletes by itself (R-ACCESS-93). */
export const RETENTION_ACTOR: Actor = { id: 'retention', name: AUTOMATIC_NAME, isAdmin: true };
const RETENTION_SUBJECT: Subject = { id: 'retention', label: 'masa simpan' };
const nulls = (fields: AuditedFields): AuditedFields =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, null]));

const HIDDEN_FIELDS: readonly string[] = ['payment_proof', 'logo', PHONE_FIELD];

/** Null stands for a state before the creation or after the deletion. */
function diffFields(before: AuditedFields | null, after: AuditedFields | null): AuditChange[] {
  return Object.keys(before ?? after ?? {})
    .map((field) => ({ field, from: before?.[field] ?? null, to: after?.[field] ?? null }))
    .filter(({ from, to }) => from !== to)
    .map((change) => (HIDDEN_FIELDS.includes(change.field) ? hideValues(change) : clipChange(change)));
}

/** Keeps only whether there is a value, and whether it changed: an entry can never be removed again. */
function hideValues({ field, from, to }: AuditChange): AuditChange {
  const newState = from === null ? 'ada' : 'diganti';
  return { field, from: from === null ? null : 'ada', to: to === null ? null : newState };
}

/**
 * Stores who changed what, inside the transaction of the change: neither can happen without the other.
 * @param now epoch milliseconds
 */
export function createAuditLog(now: () => number) {
  const entryOf = (
    currentUser: Actor,
    action: AuditAction,
    { id, label }: Subject,
    changes: AuditChange[],
    isNotice = false,
  ) => ({
    at: now(),
    action,
    actorId: currentUser.id,
    actorName: currentUser.name,
    actorIsAdmin: currentUser.isAdmin,
    subjectId: id,
    subjectLabel: label,
    changes,
    isNotice,
  });
  const writeEntry = (tx: Transaction, ...entryArguments: Parameters<typeof entryOf>): Promise<void> =>
    insertEntry(tx, entryOf(...entryArguments));

  async function writeChange<T>(
    tx: Transaction,
    currentUser: Actor,
    { actions, fieldsOf, isNotice }: SubjectKind<T>,
    subject: Subject,
    before: T | null,
    after: T | null,
    isTold = isNotice(before, after),
  ): Promise<void> {
    const changes = diffFields(before && fieldsOf(before), after && fieldsOf(after));
    const change = !before ? 'created' : after ? 'updated' : 'deleted';
    // A saved form that changed nothing makes no entry.
    if (change === 'updated' && changes.length === 0) return;
    await writeEntry(tx, currentUser, actions[change], subject, changes, isTold);
  }

  return {
    recordCreated: (tx: Transaction, currentUser: CurrentUser, record: AuditedRecord): Promise<void> =>
      writeChange(tx, currentUser, recordKind, recordSubject(record), null, record),
    /**
     * Copies for a new year. One that nobody asked for is not what its owner did: 'Otomatis' stands in place of the name.
     */
    async recordsCopied(
      tx: Transaction,
      currentUser: CurrentUser,
      copies: readonly AuditedRecord[],
      isAutomatic: boolean,
    ): Promise<void> {
      const actor = isAutomatic ? { ...currentUser, name: AUTOMATIC_NAME } : currentUser;
      const field = isAutomatic ? 'automatic_from_year' : 'copied_from_year';
      const entries = copies.map((copy) =>
        entryOf(actor, 'record.created', recordSubject(copy), [
          ...diffFields(null, recordKind.fieldsOf(copy)),
          { field, from: null, to: copy.year - 1 },
        ]),
      );
      await insertEntries(tx, entries);
    },
    /** Records that the office's list made for a linked object. */
    async recordsOfList(tx: Transaction, actor: Actor, records: readonly AuditedRecord[]): Promise<void> {
      const entries = records.map((record) =>
        entryOf(actor, 'record.created', recordSubject(record), [
          ...diffFields(null, recordKind.fieldsOf(record)),
          { field: 'list_year', from: null, to: record.year },
        ]),
      );
      await insertEntries(tx, entries);
    },
    recordChanged: (
      tx: Transaction,
      currentUser: CurrentUser,
      before: AuditedRecord,
      after: AuditedRecord,
    ): Promise<void> => writeChange(tx, currentUser, recordKind, recordSubject(before), before, after),
    /** As `recordChanged` for each record, all at `atMs`: so one call that changed many can be told from many calls. */
    async recordsChanged(
      tx: Transaction,
      currentUser: Actor,
      changed: readonly { before: AuditedRecord; after: AuditedRecord }[],
      atMs: number,
    ): Promise<void> {
      const entries = changed.flatMap(({ before, after }) => {
        const changes = diffFields(recordKind.fieldsOf(before), recordKind.fieldsOf(after));
        if (changes.length === 0) return [];
        return [{ ...entryOf(currentUser, 'record.updated', recordSubject(before), changes), at: atMs }];
      });
      await insertEntries(tx, entries);
    },
    /** The office checked a reported payment, or took its check back; one entry says also what the same act changed. */
    async recordVerified(
      tx: Transaction,
      currentUser: CurrentUser,
      action: 'record.checked' | 'record.check_undone',
      before: AuditedRecord & CheckColumns,
      after: AuditedRecord & CheckColumns,
      atMs: number = now(),
    ): Promise<void> {
      const changes = diffFields(checkedFields(before), checkedFields(after));
      await insertEntry(tx, { ...entryOf(currentUser, action, recordSubject(before), changes), at: atMs });
    },
    recordDeleted: (tx: Transaction, currentUser: CurrentUser, record: AuditedRecord): Promise<void> =>
      writeChange(tx, currentUser, recordKind, recordSubject(record), record, null),
    /** As `recordDeleted` for each record; much faster for hundreds of them. */
    async recordsDeleted(tx: Transaction, currentUser: Actor, deleted: readonly AuditedRecord[]): Promise<void> {
      const entries = deleted.map((record) =>
        entryOf(currentUser, 'record.deleted', recordSubject(record), diffFields(recordKind.fieldsOf(record), null)),
      );
      await insertEntries(tx, entries);
    },
    userCreated: (tx: Transaction, currentUser: Actor, user: AuditedUser): Promise<void> =>
      writeChange(tx, currentUser, userKind, userSubject(user), null, user),
    /** @param isTold whether every other admin is told */
    userChanged: (
      tx: Transaction,
      currentUser: CurrentUser,
      before: AuditedUser,
      after: AuditedUser,
      isTold?: boolean,
    ): Promise<void> => writeChange(tx, currentUser, userKind, userSubject(before), before, after, isTold),
    /** @param isTold whether every other admin is told */
    userDeleted: (tx: Transaction, currentUser: Actor, user: AuditedUser, isTold?: boolean): Promise<void> =>
      writeChange(tx, currentUser, userKind, userSubject(user), user, null, isTold),

    /**
     * The entry holds nothing of the password.
     * @param account the own account or that of another user
     * @param isAdmins whether the account counts as that of an admin
     */
    async passwordChanged(
      tx: Transaction,
      currentUser: Actor,
      account: Omit<AuditedUser, 'isActive' | 'phone'>,
      isAdmins = account.isAdmin,
    ): Promise<void> {
      const isNotice = isAdmins && account.id !== currentUser.id;
      await writeEntry(tx, currentUser, 'password.changed', userSubject(account), [], isNotice);
    },
    /**
     * A code of the office was made or ended; the entry holds how the person was checked, never the code.
     * @param isNotice for the account of an admin
     */
    recoveryCodeChanged(
      tx: Transaction,
      currentUser: Actor,
      account: Omit<AuditedUser, 'isActive' | 'phone'>,
      { from, to, note }: { from: string | null; to: string | null; note: string | null },
      isNotice: boolean,
    ): Promise<void> {
      const changes = [{ field: 'checked', from, to }];
      if (note !== null) changes.push({ field: 'recovery_note', from: null, to: note });
      return writeEntry(tx, currentUser, 'user.recovery_code', userSubject(account), changes, isNotice);
    },

    /**
     * A card, a second factor or the code for its set-up was added to an account or taken from it.
     * @param isNotice whether all other admins are told
     */
    accessChanged(
      tx: Transaction,
      currentUser: Actor,
      account: Omit<AuditedUser, 'isActive' | 'phone'>,
      change: { field: 'card' | 'second_factor' | 'setup_code'; from: boolean; to: boolean },
      isNotice: boolean,
    ): Promise<void> {
      const action = change.field === 'card' ? 'user.card' : 'user.second_factor';
      return writeEntry(tx, currentUser, action, userSubject(account), [change], isNotice);
    },

    /** A request to delete an account was made, withdrawn or decided. @param facts beside the states, of a decision */
    erasureChanged(
      tx: Transaction,
      currentUser: Actor,
      account: Pick<AuditedUser, 'id' | 'name' | 'email'>,
      states: { from: string | null; to: string },
      facts: AuditedFields = {},
    ): Promise<void> {
      const changes = [{ field: 'erasure', ...states }, ...diffFields(nulls(facts), facts)];
      return writeEntry(tx, currentUser, 'user.erasure', userSubject(account), changes);
    },

    /** Fields that only one of the two has were added or taken away. */
    async officeHoursChanged(
      tx: Transaction,
      currentUser: CurrentUser,
      before: AuditedFields,
      after: AuditedFields,
    ): Promise<void> {
      const changes = diffFields({ ...nulls(after), ...before }, { ...nulls(before), ...after }).toSorted((a, b) =>
        a.field < b.field ? -1 : 1,
      );
      if (changes.length > 0) await writeEntry(tx, currentUser, 'office.updated', OFFICE_SUBJECT, changes);
    },

    async recordSettingsChanged(
      tx: Transaction,
      currentUser: CurrentUser,
      before: RecordSettings,
      after: RecordSettings,
    ): Promise<void> {
      const fieldsOf = ({ user_years, rollover }: RecordSettings) => ({ user_years: user_years.join(', '), rollover });
      const changes = diffFields(fieldsOf(before), fieldsOf(after));
      if (changes.length > 0) await writeEntry(tx, currentUser, 'settings.records', RECORD_SETTINGS_SUBJECT, changes);
    },

    async retentionChanged(
      tx: Transaction,
      currentUser: CurrentUser,
      before: AuditedFields,
      after: AuditedFields,
    ): Promise<void> {
      const changes = diffFields(before, after);
      if (changes.length > 0) await writeEntry(tx, currentUser, 'settings.retention', RETENTION_SUBJECT, changes);
    },
    /** @param counts of what a night deleted */
    retentionRan: (tx: Transaction, counts: { messages: number; accounts: number }): Promise<void> =>
      writeEntry(
        tx,
        RETENTION_ACTOR,
        'retention.ran',
        RETENTION_SUBJECT,
        Object.entries(counts).map(([subject, to]) => ({ field: `deleted_${subject}`, from: 0, to })),
      ),

    async officeIdentityChanged(
      tx: Transaction,
      currentUser: CurrentUser,
      before: AuditedIdentity,
      after: AuditedIdentity,
    ): Promise<void> {
      const changes = diffFields(identityFields(before), identityFields(after));
      if (changes.length > 0) await writeEntry(tx, currentUser, 'settings.identity', IDENTITY_SUBJECT, changes);
    },

    backupStarted: (tx: Transaction, currentUser: CurrentUser): Promise<void> =>
      writeEntry(tx, currentUser, 'backup.started', { id: 'backups', label: 'semua data' }, []),
    runningCopyStarted: (tx: Transaction, currentUser: CurrentUser): Promise<void> =>
      writeEntry(tx, currentUser, 'backup.started', { id: 'running-copy', label: 'salinan berjalan' }, []),
    /** @param name of the archive */
    backupDownloaded: (tx: Transaction, currentUser: CurrentUser, name: string): Promise<void> =>
      writeEntry(tx, currentUser, 'backup.downloaded', { id: name, label: name }, [], true),

    areaCreated: (tx: Transaction, currentUser: CurrentUser, area: AuditedArea): Promise<void> =>
      writeChange(tx, currentUser, areaKind, areaSubject(area), null, area),
    areaChanged: (tx: Transaction, currentUser: CurrentUser, before: AuditedArea, after: AuditedArea): Promise<void> =>
      writeChange(tx, currentUser, areaKind, areaSubject(before), before, after),
    areaDeleted: (tx: Transaction, currentUser: CurrentUser, area: AuditedArea): Promise<void> =>
      writeChange(tx, currentUser, areaKind, areaSubject(area), area, null),

    /** An import was applied to the office's list, or taken back. @param facts counts, control totals and the reason */
    listImported: (
      tx: Transaction,
      currentUser: CurrentUser,
      action: 'dhkp.applied' | 'dhkp.reverted',
      batch: AuditedBatch,
      facts: AuditedFields,
    ): Promise<void> => writeEntry(tx, currentUser, action, batchSubject(batch), diffFields(null, facts)),
    /** A decision of the office about one object. */
    async objectChanged(
      tx: Transaction,
      currentUser: CurrentUser,
      object: AuditedObject,
      before: AuditedFields,
      after: AuditedFields,
    ): Promise<void> {
      const changes = diffFields(before, after);
      if (changes.length > 0) await writeEntry(tx, currentUser, 'dhkp.changed', objectSubject(object), changes);
    },
    /** An object was linked to an account, or its link removed, for all years. @param account its name and e-mail */
    objectLinked: (
      tx: Transaction,
      currentUser: CurrentUser,
      action: 'dhkp.linked' | 'dhkp.unlinked',
      object: AuditedObject,
      account: AuditChange,
    ): Promise<void> => writeEntry(tx, currentUser, action, objectSubject(object), [clipChange(account)]),
    /** The office answered a user's request to link an object. */
    async claimAnswered(
      tx: Transaction,
      currentUser: CurrentUser,
      action: 'claim.approved' | 'claim.rejected',
      claim: { id: string; nop: string; userId: string },
      reason: string | null,
    ): Promise<void> {
      const user = await findSubjectUser(tx, claim.userId);
      const label = ['objek', formatNop(claim.nop), ...(user ? ['·', userSubject(user).label] : [])].join(' ');
      const changes = reason === null ? [] : [clipChange({ field: 'reason', from: null, to: reason })];
      await writeEntry(tx, currentUser, action, { id: claim.id, label }, changes);
    },
    /** One entry for a change of many objects. @param set the fields that were set */
    objectsChanged: (tx: Transaction, currentUser: CurrentUser, objects: number, set: AuditedFields): Promise<void> =>
      writeEntry(tx, currentUser, 'dhkp.changed', { id: 'dhkp', label: `${objects} objek` }, [
        ...Object.entries(set).map(([field, to]) => clipChange({ field, from: null, to })),
        { field: 'objects', from: null, to: objects },
      ]),
    /** Fields that only one of the two has were added or taken away. */
    async listSettingsChanged(
      tx: Transaction,
      currentUser: CurrentUser,
      before: AuditedFields,
      after: AuditedFields,
    ): Promise<void> {
      const changes = diffFields({ ...nulls(after), ...before }, { ...nulls(before), ...after });
      if (changes.length > 0) await writeEntry(tx, currentUser, 'dhkp.changed', DHKP_SETTINGS_SUBJECT, changes);
    },

    /** Must be called while the account still exists. @param messages how many were deleted; 0 makes no entry */
    async conversationDeleted(
      tx: Transaction,
      currentUser: Actor,
      { id }: { id: string },
      messages: number,
    ): Promise<void> {
      const user = await findSubjectUser(tx, id);
      if (!user || messages === 0) return;
      await writeEntry(tx, currentUser, 'conversation.deleted', userSubject(user), [
        { field: 'messages', from: messages, to: 0 },
      ]);
    },

    /** The entry holds nothing of the text: it can never be removed again, and the note was. */
    async noteDeleted(
      tx: Transaction,
      currentUser: CurrentUser,
      { userId, authorName, createdAt }: { userId: string; authorName: string; createdAt: number },
    ): Promise<void> {
      const user = await findSubjectUser(tx, userId);
      if (!user) return;
      await writeEntry(tx, currentUser, 'note.deleted', userSubject(user), [
        { field: 'note_author', from: authorName, to: null },
        { field: 'note_written_at', from: new Date(createdAt).toISOString(), to: null },
      ]);
    },

    /** An admin took over what a colleague handles. @param holderName that colleague */
    async conversationTaken(
      tx: Transaction,
      currentUser: CurrentUser,
      { id }: { id: string },
      holderName: string,
    ): Promise<void> {
      const user = await findSubjectUser(tx, id);
      if (!user) return;
      await writeEntry(tx, currentUser, 'conversation.taken', userSubject(user), [
        { field: 'claimed_by', from: holderName, to: currentUser.name },
      ]);
    },
  };
}
export type AuditLog = ReturnType<typeof createAuditLog>;
