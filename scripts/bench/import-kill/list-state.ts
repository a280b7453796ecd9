import { createHash } from 'node:crypto';
import type { Sqlite } from '#server/db/sqlite/connect.ts';

export type BatchState = { state: string; doneRows: number; totalRows: number };
/**
 * `bytes`: the list and the records, with ids and times. `contents`: the same without what differs between two applies of one
 * file. `entries`: the audit entries after the one of `lastEntryId`, without ids and times.
 */
export type ListState = { bytes: string; contents: string; entries: string; lastEntryId: number };

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** `entries` where the audit has none. */
export const NO_ENTRIES = hash([]);

const EXACT = ['objects', 'assessments', 'dhkp_changes', 'tax_records'].map(
  (table) => `select * from ${table} order by 1, 2`,
);
const CONTENTS = [
  'select nop, user_id, area_id from objects order by nop',
  `select nop, year, name, object_address, land_m2, amount_sen, due_date, is_listed, condition, note from assessments
    order by nop, year`,
  `select user_id, year, spt_number, name, address, amount_sen, amount_source, due_date, status from tax_records
    order by user_id, year, spt_number`,
  `select nop, has_added_object, before is null, record_id is null, record_before is null
    from dhkp_changes join assessments on id = assessment_id order by nop, batch_id`,
];
const ENTRIES = `select action, actor_name, subject_label, changes from audit_entries where id > ? order by 1, 3, 4`;

/** Reads the list, the records of linked objects and the audit as they are now. */
export function readListState(sqlite: Sqlite, lastEntryId: number): ListState {
  const rowsOf = (statement: string): unknown[] => sqlite.prepare(statement).raw().all();
  return {
    bytes: hash(EXACT.map(rowsOf)),
    contents: hash(CONTENTS.map(rowsOf)),
    entries: hash(sqlite.prepare(ENTRIES).raw().all(lastEntryId)),
    lastEntryId: Number(sqlite.prepare('select max(id) from audit_entries').pluck().get()),
  };
}

export function readBatchState(sqlite: Sqlite, id: string): BatchState {
  const row = sqlite
    .prepare<[string], BatchState>(
      'select state, done_rows as doneRows, total_rows as totalRows from dhkp_batches where id = ?',
    )
    .get(id);
  if (!row) throw new Error('the batch is gone');
  return row;
}
