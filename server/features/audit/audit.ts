import type { AuditAction, AuditChange } from '#shared/api/audit.ts';
import { senToRupiah } from '#shared/domain/rupiah.ts';
import type { Orm } from '#server/db/open.ts';
import type { Viewer } from '#server/http/session.ts';
import { findPerson, insertEntries, insertEntry } from './queries.ts';

type RecordFacts = {
  id: string;
  name: string;
  address: string;
  taxType: string;
  propertyType: string | null;
  sptNumber: string;
  year: number;
  amountSen: number;
  description: string | null;
  status: string;
  dueDate: string | null;
  paymentDate: string | null;
  notes: string | null;
  proofFile: string | null;
};
type UserFacts = { id: string; name: string; email: string; isAdmin: boolean; isActive: boolean };
type Facts = Record<string, AuditChange['from']>;
type Actor = Pick<Viewer, 'id' | 'name' | 'isAdmin'>;
type Subject = { id: string; label: string };

/** What is told of: whatever has no place in here (a password, its hash) can never be written down. */
type Kind<T> = { actions: Record<'created' | 'updated' | 'deleted', AuditAction>; factsOf: (one: T) => Facts };

const records: Kind<RecordFacts> = {
  actions: { created: 'record.created', updated: 'record.updated', deleted: 'record.deleted' },
  // In the words and units of the wire.
  factsOf: (record) => ({
    name: record.name,
    address: record.address,
    tax_type: record.taxType,
    property_type: record.propertyType,
    spt_number: record.sptNumber,
    year: record.year,
    amount: senToRupiah(record.amountSen),
    description: record.description,
    status: record.status,
    due_date: record.dueDate,
    payment_date: record.paymentDate,
    notes: record.notes,
    payment_proof: record.proofFile,
  }),
};
const users: Kind<UserFacts> = {
  actions: { created: 'user.created', updated: 'user.updated', deleted: 'user.deleted' },
  factsOf: ({ name, email, isAdmin, isActive }) => ({ name, email, is_admin: isAdmin, is_active: isActive }),
};

const recordSubject = (record: RecordFacts): Subject => ({
  id: record.id,
  label: `${record.sptNumber} · ${record.year} · ${record.name}`,
});
const userSubject = ({ id, name, email }: Pick<UserFacts, 'id' | 'name' | 'email'>): Subject => ({
  id,
  label: `${name} (${email})`,
});

/** What differs between two states; a state that is null has nothing in it. */
function differences(before: Facts | null, after: Facts | null): AuditChange[] {
  return Object.keys(before ?? after ?? {})
    .map((field) => ({ field, from: before?.[field] ?? null, to: after?.[field] ?? null }))
    .filter(({ from, to }) => from !== to)
    .map((change) => (change.field === 'payment_proof' ? withoutFileNames(change) : change));
}

/** That there is an image, and whether it is another one: a file's name, once here, could never be removed again. */
function withoutFileNames({ field, from, to }: AuditChange): AuditChange {
  const now = from === null ? 'ada' : 'diganti';
  return { field, from: from === null ? null : 'ada', to: to === null ? null : now };
}

/**
 * Writes down who did what, inside the transaction that does it: neither can happen without the other.
 * @param now epoch milliseconds
 */
export function createAudit(now: () => number) {
  const entryOf = (actor: Actor, action: AuditAction, { id, label }: Subject, changes: AuditChange[]) => ({
    at: now(),
    action,
    actorId: actor.id,
    actorName: actor.name,
    actorIsAdmin: actor.isAdmin,
    subjectId: id,
    subjectLabel: label,
    changes,
  });
  const write = (tx: Orm, ...what: Parameters<typeof entryOf>): void => insertEntry(tx, entryOf(...what));

  function tell<T>(
    tx: Orm,
    actor: Actor,
    { actions, factsOf }: Kind<T>,
    subject: Subject,
    before: T | null,
    after: T | null,
  ): void {
    const changes = differences(before && factsOf(before), after && factsOf(after));
    if (!before) write(tx, actor, actions.created, subject, changes);
    else if (!after) write(tx, actor, actions.deleted, subject, changes);
    // Saving a form without having changed anything is nothing to tell.
    else if (changes.length > 0) write(tx, actor, actions.updated, subject, changes);
  }

  return {
    recordCreated: (tx: Orm, actor: Viewer, record: RecordFacts): void =>
      tell(tx, actor, records, recordSubject(record), null, record),
    recordChanged: (tx: Orm, actor: Viewer, before: RecordFacts, after: RecordFacts): void =>
      tell(tx, actor, records, recordSubject(before), before, after),
    recordDeleted: (tx: Orm, actor: Viewer, record: RecordFacts): void =>
      tell(tx, actor, records, recordSubject(record), record, null),
    /** As recordDeleted, an entry for each; much quicker where there are hundreds. */
    recordsDeleted(tx: Orm, actor: Viewer, deleted: readonly RecordFacts[]): void {
      const entries = deleted.map((record) =>
        entryOf(actor, 'record.deleted', recordSubject(record), differences(records.factsOf(record), null)),
      );
      insertEntries(tx, entries);
    },
    userCreated: (tx: Orm, actor: Actor, user: UserFacts): void =>
      tell(tx, actor, users, userSubject(user), null, user),
    userChanged: (tx: Orm, actor: Viewer, before: UserFacts, after: UserFacts): void =>
      tell(tx, actor, users, userSubject(before), before, after),
    userDeleted: (tx: Orm, actor: Viewer, user: UserFacts): void =>
      tell(tx, actor, users, userSubject(user), user, null),

    /** Nothing of the password itself. @param account whose it is: one's own, or somebody's who has forgotten theirs */
    passwordChanged: (tx: Orm, actor: Actor, account: Pick<UserFacts, 'id' | 'name' | 'email'>): void =>
      write(tx, actor, 'password.changed', userSubject(account), []),

    backupStarted: (tx: Orm, actor: Viewer): void =>
      write(tx, actor, 'backup.started', { id: 'backups', label: 'semua data' }, []),
    /** @param name the archive's */
    backupDownloaded: (tx: Orm, actor: Viewer, name: string): void =>
      write(tx, actor, 'backup.downloaded', { id: name, label: name }, []),

    /** To be called while the resident's account still exists. @param messages how many there were; none is nothing to tell */
    conversationDeleted(tx: Orm, actor: Viewer, { id }: { id: string }, messages: number): void {
      const resident = findPerson(tx, id);
      if (!resident || messages === 0) return;
      write(tx, actor, 'conversation.deleted', userSubject(resident), [{ field: 'messages', from: messages, to: 0 }]);
    },
  };
}
export type Audit = ReturnType<typeof createAudit>;
