import { v7 as newId } from 'uuid';
import { type AssessedField, isSettled, unchosenFields } from '#shared/domain/tax-records/assessed-fields.ts';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { quotaTexts } from '#shared/texts.ts';
import type { Actor } from '#server/audit/audit-log.ts';
import type { Transaction } from '#server/db/engine.ts';
import { AppError } from '#server/http/errors.ts';
import { type LinkedAssessment, listRecordsOfObjects } from '#server/records/linked-assessment-queries.ts';
import type { JoinedRecord, LinkedRecords, NotedJoin, PublishedRecord } from '#server/records/linked-records.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Writing } from '../changes/check-rules.ts';
import { publishRecordChange, toNewRow } from '../changes/record-changes.ts';
import {
  deleteRecords,
  insertRecords,
  listOwnerNames,
  listRecords,
  type RecordRow,
  updateRecords,
} from '../queries.ts';
import { readQuotaUse } from '../quota/quota-queries.ts';
import { newRecordOf, takeValues } from './office-values.ts';

const isYearOfRecord = ({ year }: LinkedAssessment): boolean => year >= YEAR_MIN && year <= YEAR_MAX;

/** Makes and joins the records of linked objects, inside the transactions of the office's list (R-DHKP-34). */
export function createLinkedRecords({ audit, now, quota, publish }: ServiceContext): LinkedRecords {
  const writingOf = (actor: Actor): Writing => ({ by: 'admin', byName: actor.name, nowMs: now() });

  /** The number of records for which the accounts still have room, asked once for each. */
  function createRoom(tx: Transaction) {
    const roomOf = new Map<string, number>();
    return {
      async take(userId: string): Promise<boolean> {
        if (quota.records === null) return true;
        const room = roomOf.get(userId) ?? quota.records - (await readQuotaUse(tx, userId)).records;
        roomOf.set(userId, room - 1);
        return room > 0;
      },
    };
  }

  function joined(record: RecordRow, assessment: LinkedAssessment, overwrite: readonly AssessedField[], actor: Actor) {
    const decided = { ...record, hasProof: record.proofFile !== null };
    const fields = new Set([...unchosenFields(decided), ...(isSettled(decided) ? [] : overwrite)]);
    return takeValues(record, assessment, [...fields], writingOf(actor));
  }

  function made(assessment: LinkedAssessment, ownerName: string, actor: Actor): RecordRow {
    const { userId } = assessment;
    const body = newRecordOf(assessment, ownerName);
    const row = toNewRow({ id: newId(), userId, proof: null }, body, writingOf(actor));
    return { ...row, amountSource: 'office' };
  }

  return {
    async join(tx, actor, assessments, { overwrite = [], makes, beyondQuota }) {
      const wanted = assessments.filter(isYearOfRecord);
      const records = await listRecordsOfObjects(tx, wanted);
      const ownerNames = await listOwnerNames(
        tx,
        wanted.map(({ userId }) => userId),
      );
      const room = createRoom(tx);
      const joins: JoinedRecord[] = [];
      for (const [index, assessment] of wanted.entries()) {
        const before = records[index] ?? null;
        if (before) {
          const after = joined(before, assessment, overwrite, actor);
          joins.push({ assessmentId: assessment.id, before, after });
          continue;
        }
        const ownerName = ownerNames.get(assessment.userId);
        if (ownerName === undefined || !makes(assessment)) continue;
        if (!(await room.take(assessment.userId))) {
          if (beyondQuota === 'refuse') throw new AppError(422, quotaTexts.admin.records(quota.records ?? 0));
          continue;
        }
        joins.push({ assessmentId: assessment.id, before: null, after: made(assessment, ownerName, actor) });
      }
      await insertRecords(tx, createdOf(joins));
      await updateRecords(
        tx,
        joins.flatMap(({ before: was, after }) => (was === null || was === after ? [] : [after])),
      );
      await auditJoins(tx, actor, joins);
      return joins;
    },

    async undo(tx, actor, joins) {
      const records = new Map(
        (
          await listRecords(
            tx,
            joins.map(({ recordId }) => recordId),
          )
        ).map((record) => [record.id, record]),
      );
      const undone = joins.flatMap((join) => {
        const record = records.get(join.recordId);
        return record ? [{ record, before: join.before, isPutBack: isUnchanged(record, join) }] : [];
      });
      await putBack(
        tx,
        actor,
        undone.filter(({ isPutBack }) => isPutBack),
      );
      return undone.map(({ record: { id, userId }, before, isPutBack }): PublishedRecord => {
        return { id, userId, change: isPutBack && before === null ? 'deleted' : 'updated' };
      });
    },

    publish(records) {
      for (const record of records) publishRecordChange(publish, record, record.change);
    },
  };

  async function auditJoins(tx: Transaction, actor: Actor, joins: readonly JoinedRecord[]): Promise<void> {
    const createdRows = createdOf(joins);
    const changed = joins.flatMap(({ before, after }) => (before === null ? [] : [{ before, after }]));
    if (createdRows.length > 0) await audit.recordsOfList(tx, actor, createdRows);
    if (changed.length > 0) await audit.recordsChanged(tx, actor, changed, now());
  }

  async function putBack(
    tx: Transaction,
    actor: Actor,
    undone: readonly { record: RecordRow; before: RecordRow | null }[],
  ): Promise<void> {
    const madeRecords = undone.flatMap(({ record, before }) => (before === null ? [record] : []));
    const changed = undone.flatMap(({ record, before }) =>
      before === null ? [] : [{ before: record, after: before }],
    );
    await deleteRecords(
      tx,
      madeRecords.map(({ id }) => id),
    );
    await updateRecords(
      tx,
      changed.map(({ after }) => after),
    );
    await audit.recordsDeleted(tx, actor, madeRecords);
    await audit.recordsChanged(tx, actor, changed, now());
  }
}

const createdOf = (joins: readonly JoinedRecord[]): RecordRow[] =>
  joins.flatMap(({ before, after }) => (before === null ? [after] : []));

/** A rollover that copied the record since does not change its version. */
const isUnchanged = (record: RecordRow, { updatedAt, before }: NotedJoin): boolean =>
  record.updatedAt === updatedAt && record.rolledOverAt === (before?.rolledOverAt ?? null);
