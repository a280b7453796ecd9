import type { AssessedField } from '#shared/domain/tax-records/assessed-fields.ts';
import type { RecordChange } from '#shared/events.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { LinkedAssessment, RecordRow } from './linked-assessment-queries.ts';

/** The admin for whom a record is made or changed. */
type Actor = Pick<CurrentUser, 'id' | 'name' | 'isAdmin'>;

/** A record that was made for an assessment, or joined to it; `before` null: it was made. */
export type JoinedRecord = { assessmentId: string; before: RecordRow | null; after: RecordRow };

/** A joined record as an import noted it, with the version that it gave the record. */
export type NotedJoin = { recordId: string; updatedAt: number; before: RecordRow | null };

export type JoinOptions = {
  /** The office's values that replace those of a record, unless it is paid or has a proof. */
  overwrite?: readonly AssessedField[];
  /** Whether a record is made where there is none. */
  makes: (assessment: LinkedAssessment) => boolean;
  /** Beyond the quota of an account: 422 for all, or no record for that assessment. */
  beyondQuota: 'refuse' | 'leave out';
};

export type PublishedRecord = Pick<RecordRow, 'id' | 'userId'> & { change: RecordChange['change'] };

/** The records of linked objects: the office's list asks for them, and the feature of records makes them (R-DHKP-34). */
export type LinkedRecords = {
  /** Within the caller's transaction. @throws 422 beyond the quota, where the options say so */
  join: (
    tx: Transaction,
    actor: Actor,
    assessments: readonly LinkedAssessment[],
    options: JoinOptions,
  ) => Promise<JoinedRecord[]>;
  /** Undoes `join`: deletes the records that it made and restores those that it changed, except records edited since. */
  undo: (tx: Transaction, actor: Actor, joins: readonly NotedJoin[]) => Promise<PublishedRecord[]>;
  /** Called after the commit. */
  publish: (records: readonly PublishedRecord[]) => void;
};

export const publishedOf = ({ before, after }: JoinedRecord): PublishedRecord => ({
  id: after.id,
  userId: after.userId,
  change: before === null ? 'created' : 'updated',
});
