import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { formatRupiah, showDateShort } from '#client/lib/format.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { ComparedField } from '#shared/domain/tax-records/assessed-fields.ts';
import { listEvery } from '#shared/domain/tax-records/tax-record-fields.ts';
import { adoptAssessment, reloadRecords, undoAdoption } from '../api.ts';
import type { RecordScope } from '../scope.ts';
import { recordHeading, recordLabel } from './record-labels.ts';

const ADOPT_FAILED = 'Gagal menyamakan data PBB';
const holders = { own: 'data Anda', admin: 'data warga' } as const satisfies Record<RecordScope, string>;
const SHOWN_FIELDS = listEvery<ComparedField>()(['amount', 'due_date']);

type Assessed = TaxRecord & { assessment: NonNullable<TaxRecord['assessment']> };
const isDifferent = (record: TaxRecord): record is Assessed => (record.assessment?.differs.length ?? 0) > 0;

const differenceTexts: Record<ComparedField, (record: Assessed, holder: string) => string> = {
  amount: ({ amount, assessment }, holder) =>
    `Ketetapan kantor ${formatRupiah(assessment.amount)}, ${holder} ${formatRupiah(amount)}`,
  due_date: ({ due_date: date, assessment }, holder) =>
    `Jatuh tempo menurut kantor ${showDateShort(assessment.due_date)}, ${holder} ${date === null ? 'tanpa tanggal' : showDateShort(date)}`,
};

const textsOf = (record: Assessed, scope: RecordScope): string[] =>
  SHOWN_FIELDS.filter((field) => record.assessment.differs.includes(field)).map((field) =>
    differenceTexts[field](record, holders[scope]),
  );

type Props = { record: TaxRecord; scope: RecordScope };

/** The difference in the narrow row of a table, without its act, which the page of the record has. */
export function DifferenceLine({ record, scope, className }: Props & { className: string }) {
  if (!isDifferent(record)) return null;
  const text = textsOf(record, scope).join('. ');
  return (
    <Text component="div" inherit c="var(--mantine-color-yellow-light-color)" className={className} title={text}>
      {text}
    </Text>
  );
}

/** The office's list says otherwise than the record, which takes its values with one press (R-DHKP-40). */
export function AssessmentDifference({ record, scope }: Props) {
  const { adopt, busy, failure } = useAdoption(scope);
  if (!isDifferent(record) && failure === null) return null;
  return (
    // Above the link that fills the row or the card.
    <Group gap="0.25rem 0.75rem" mt="xs" className="no-print" style={{ position: 'relative' }}>
      {isDifferent(record) ? (
        <>
          <Text component="div" fz="sm" fw={500} c="var(--mantine-color-yellow-light-color)" style={{ minWidth: 0 }}>
            {textsOf(record, scope).map((text) => (
              <div key={text}>{text}</div>
            ))}
          </Text>
          {record.status === 'lunas' ? null : (
            <Button
              variant="light"
              size="compact-md"
              mih={44}
              flex="none"
              aria-label={`Samakan ${recordLabel(record)}`}
              aria-busy={busy || undefined}
              onClick={() => void adopt(record)}
            >
              Samakan
            </Button>
          )}
        </>
      ) : null}
      {failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}
    </Group>
  );
}

type Failure = { message: string; hint: string | undefined };

function useAdoption(scope: RecordScope) {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);

  async function undo(stored: TaxRecord, before: Assessed): Promise<void> {
    try {
      await undoAdoption(scope, stored, before);
    } catch (error) {
      notify.failure(error, ADOPT_FAILED);
    }
    await reloadRecords(queryClient);
  }

  const { submit, busy } = useSubmit(async (record: Assessed) => {
    setFailure(null);
    try {
      const stored = await adoptAssessment(scope, record);
      const message = `Disamakan dengan daftar kantor: ${recordHeading(stored)}`;
      // An edit needs an amount above 0.
      if (record.amount > 0) notify.undo({ message, onUndo: () => void undo(stored, record) });
      else notify.success(message);
    } catch (error) {
      setFailure({ message: messageOf(error, ADOPT_FAILED), hint: hintOf(error) });
      // Only another state of the record refuses it, and that one is shown then.
      if (!(error instanceof ApiError) || error.status !== 409) return;
    }
    await reloadRecords(queryClient);
  });
  return { adopt: submit, busy, failure };
}
