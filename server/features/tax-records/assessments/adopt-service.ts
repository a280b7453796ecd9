import type { AdoptAssessmentBody } from '#shared/api/tax-records/tax-records.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { conflict } from '#server/http/errors.ts';
import { requireUnchanged } from '#server/http/row-version.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { readAssessmentsOf } from '#server/records/linked-assessment-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { publishRecordChange } from '../changes/record-changes.ts';
import { createRecordEdits } from '../changes/record-edits.ts';
import type { RecordScope } from '../changes/record-scopes.ts';
import { type OwnedRecord, updateRecord } from '../queries.ts';
import { takeValues } from './office-values.ts';

/** Takes the office's values into one record, for its owner or for an admin (R-DHKP-35). */
export function createAdoption<CreateBody>(context: ServiceContext, scope: RecordScope<CreateBody>) {
  const { audit, userWrites, write, now, publish } = context;
  const { requireRecord } = createRecordEdits(context, scope);

  return {
    /** @throws 401, 403, 404 as the scope; 409 when it changed since `updated_at`, is paid, or has no assessment; 429, 507 */
    async adopt(currentUser: CurrentUser, id: string, body: AdoptAssessmentBody): Promise<OwnedRecord> {
      userWrites.countChange(currentUser);
      const { found, record } = await write(async (tx) => {
        await scope.requireLive(tx, currentUser);
        const stored = await requireRecord(tx, currentUser, id);
        requireUnchanged(stored.record, body.updated_at);
        if (stored.record.status === 'lunas') throw conflict(dhkpTexts.recordPaid);
        const assessment = (await readAssessmentsOf(tx, [stored.record])).get(id);
        if (!assessment) throw conflict(dhkpTexts.noAssessment);
        const writing = { by: scope.author, byName: currentUser.name, nowMs: now() };
        const taken = takeValues(stored.record, assessment, body.fields, writing);
        if (taken !== stored.record) await updateRecord(tx, taken);
        await audit.recordChanged(tx, currentUser, stored.record, taken);
        return { found: stored, record: taken };
      });
      if (record !== found.record) publishRecordChange(publish, record, 'updated');
      return { ...found, record };
    },
  };
}
export type Adoption = ReturnType<typeof createAdoption>;
