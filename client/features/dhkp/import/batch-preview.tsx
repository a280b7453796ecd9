import { Button, Stack, Textarea } from '@mantine/core';
import { IconAdjustments, IconCheck, IconSearch } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { formatNumber } from '#client/lib/format.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { SaveBar } from '#client/ui/form/save-bar.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { HandbookLink } from '#client/ui/page/handbook-link.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { CONTROL_REASON_MAX } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { applyBatch, changeBatch, storeBatch } from '../api.ts';
import { changedChoices, type Choices, choicesOf, hasRequiredColumns, isReason } from './batch-choices.ts';
import { BatchSummary } from './batch-summary.tsx';
import { ChoicesFields } from './choices-fields.tsx';
import { PaperTotals } from './paper-totals.tsx';

/** The choices about a file and what they make of it. 'Periksa' reads it again, 'Terapkan' changes the list. */
export function BatchPreview({ batch }: { batch: Batch }) {
  const queryClient = useQueryClient();
  const [choices, setChoices] = useState<Choices>(() => choicesOf(batch));
  const isReady = batch.state === 'ready';
  const [isOpen, setIsOpen] = useState(!isReady);
  const [reason, setReason] = useState('');
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const [failure, setFailure] = useState<(Failure & { isOutdated: boolean }) | null>(null);

  const changed = changedChoices(batch, choices);
  const isChanged = Object.keys(changed).length > 0;
  const needsCheck = !isReady || isChanged || failure?.isOutdated === true;
  const differs = batch.control.equal === false;

  const { submit: check, busy: isChecking } = useSubmit(async () => {
    setFailure(null);
    if (!hasRequiredColumns(choices)) {
      setFailure({ message: dhkpTexts.columnsRequired, isOutdated: false });
      return;
    }
    try {
      // The found columns are sent too: without a change they become the choice.
      storeBatch(
        queryClient,
        await changeBatch(batch.id, isReady ? changed : { columns: choices.columns, ...changed }),
      );
    } catch (error) {
      setFailure({ ...failureOf(error, 'Gagal memeriksa berkas'), isOutdated: false });
    }
  });

  const { submit: apply, busy: isApplying } = useSubmit(async () => {
    setFailure(null);
    setIsReasonMissing(differs && !isReason(reason));
    if (batch.preview_id === null || (differs && !isReason(reason))) return;
    if (!(await confirmProblems(batch))) return;
    try {
      storeBatch(queryClient, await applyBatch(batch.id, batch.preview_id, differs ? reason.trim() : null));
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.message === dhkpTexts.listChanged;
      setFailure({ ...failureOf(error, 'Impor gagal diterapkan'), isOutdated });
    }
  });

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void (needsCheck ? check() : apply());
  }

  const change = (part: Partial<Choices>): void => setChoices((current) => ({ ...current, ...part }));
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        {isReady ? (
          <BatchSummary batch={batch} />
        ) : (
          <div>
            <FormAlert
              kind="warning"
              message={batch.message ?? 'Susunan berkas belum dikenali dengan pasti.'}
              hint="Periksa lembar, kolom, dan satuannya di bawah, lalu tekan Periksa. Pilihan kolom diingat untuk berkas berikutnya."
            />
            <HandbookLink chapter="lists" />
          </div>
        )}
        {isReady ? (
          <div>
            <Button
              variant="default"
              leftSection={<IconAdjustments size={18} aria-hidden />}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              Ubah pilihan
            </Button>
          </div>
        ) : null}
        {isOpen ? <ChoicesFields batch={batch} choices={choices} onChange={change} /> : null}
        {isReady ? <PaperTotals choices={choices} onChange={change} /> : null}
        {differs && !isChanged ? (
          <Textarea
            label="Alasan jumlahnya berbeda"
            description="Diperlukan untuk menerapkan; tercatat di Riwayat Perubahan."
            required
            maxLength={CONTROL_REASON_MAX}
            value={reason}
            error={isReasonMissing ? dhkpTexts.reasonLength : undefined}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        ) : null}
        <SaveBar status={<FormFailure failure={failure} />}>
          {isChanged ? (
            <Button variant="default" onClick={() => setChoices(choicesOf(batch))}>
              Buang perubahan
            </Button>
          ) : null}
          {needsCheck ? (
            <SaveButton busy={isChecking} busyLabel="Memeriksa…" leftSection={<IconSearch size={18} aria-hidden />}>
              Periksa
            </SaveButton>
          ) : (
            <SaveButton busy={isApplying} busyLabel="Menerapkan…" leftSection={<IconCheck size={18} aria-hidden />}>
              Terapkan
            </SaveButton>
          )}
        </SaveBar>
      </Stack>
    </form>
  );
}

/** Asks only where rows are left out. */
async function confirmProblems({ counts, year }: Batch): Promise<boolean> {
  if (counts.problem === 0) return true;
  const rows = `${formatNumber(counts.problem)} baris bermasalah`;
  return confirm({
    title: `Terapkan tanpa ${rows}`,
    message: `${rows} tidak ikut ke daftar ${year}. Perbaiki di berkasnya, lalu impor lagi; baris yang lain tetap sama.`,
    confirmLabel: 'Terapkan',
  });
}
