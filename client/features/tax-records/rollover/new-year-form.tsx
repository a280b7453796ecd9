import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { formatNumber, today } from '#client/lib/format.ts';
import { Money } from '#client/ui/data/money.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { ChoiceCard } from '#client/ui/fields/choice-card.tsx';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { AutoCreate, ChosenCopy, NewYearPreview, SuggestedCopy } from '#shared/api/tax-records/rollover.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { ROLLOVER_RECORDS_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { createNewYear } from '../api.ts';
import { chosenCopies, type CopyDraft, type CopyDrafts, firstWrong, totalOf } from './copy-drafts.ts';
import { CopyList, COPIES_PER_PAGE } from './copy-list.tsx';

/** The sums of all parts that were made; `isWhole` is false when a later part failed. */
export type MadeCopies = { created: AutoCreate; isWhole: boolean };

type Props = {
  previews: NewYearPreview[];
  /** The input from before the question was closed. */
  typed: CopyDrafts;
  /** Keeps the input longer than the dialog, which a press beside it closes. */
  onTyped: (drafts: CopyDrafts) => void;
  onCancel: () => void;
  onCreated: (made: MadeCopies) => void;
};

function previewText({ year, total, has_source: isFollowing }: NewYearPreview): string {
  if (total > 0) return `${formatNumber(total)} data baru`;
  return isFollowing ? 'Sudah lengkap' : `Belum ada data tahun ${year - 1}`;
}

const hasSource = ({ copies }: NewYearPreview, source: SuggestedCopy['amount_source']): boolean =>
  copies.some(({ amount_source }) => amount_source === source);

function growthText(preview: NewYearPreview): string {
  if (!hasSource(preview, 'office')) return 'Jumlah pajak naik 10% dan statusnya Belum Lunas.';
  return hasSource(preview, 'estimate')
    ? 'Jumlah pajak menurut daftar kantor, yang lain naik 10%; statusnya Belum Lunas.'
    : 'Jumlah pajak menurut daftar kantor dan statusnya Belum Lunas.';
}

function NewYearOutcome({ preview, drafts }: { preview: NewYearPreview; drafts: CopyDrafts }) {
  const { year, copies, has_source: isFollowing } = preview;
  const { count, amount } = totalOf(copies, drafts);
  if (copies.length > 0) {
    return (
      <>
        <strong>{formatNumber(count)} data PBB</strong> untuk <strong>tahun {year}</strong> akan dibuat dari data tahun{' '}
        {year - 1}, dengan jumlah seluruhnya <Money amount={amount} />.
      </>
    );
  }
  return (
    <>
      Tidak ada data yang perlu dibuat untuk <strong>tahun {year}</strong>:{' '}
      {isFollowing ? 'datanya sudah lengkap.' : `belum ada data tahun ${year - 1} untuk disalin.`}
    </>
  );
}

/** The advice about a copy that cannot be made; the others are not made either. */
function hintOfFailure(error: unknown): string | undefined {
  if (error instanceof ApiError && error.status === 409) return 'Hapus centangnya, lalu coba lagi.';
  return hintOf(error);
}

/** Makes the calls that the copies need. When a later one fails, the copies of the earlier ones exist all the same. */
async function createInParts(
  year: number,
  records: ChosenCopy[] | null,
  onProgress: (text: string) => void,
): Promise<MadeCopies> {
  if (records === null || records.length <= ROLLOVER_RECORDS_MAX) {
    return { created: await createNewYear(year, records), isWhole: true };
  }
  const sum: AutoCreate = { year, count: 0, outstandingCount: 0, newYearCount: 0, leftOutCount: 0 };
  for (let from = 0; from < records.length; from += ROLLOVER_RECORDS_MAX) {
    onProgress(`Membuat data... ${formatNumber(from)} dari ${formatNumber(records.length)}`);
    try {
      const part = await createNewYear(year, records.slice(from, from + ROLLOVER_RECORDS_MAX));
      sum.count += part.count;
      sum.outstandingCount += part.outstandingCount;
      sum.newYearCount += part.newYearCount;
    } catch (error) {
      if (sum.count === 0) throw error;
      notify.failure(error, 'Gagal membuat data tahun baru');
      return { created: sum, isWhole: false };
    }
  }
  return { created: sum, isWhole: true };
}

/** The question of 'Tahun Baru': the year, and the copies before they exist (R-YEAR-9, R-YEAR-18). */
export function NewYearForm({ previews, typed, onTyped, onCancel, onCreated }: Props) {
  const [year, setYear] = useState(previews[0]?.year);
  const [drafts, setDrafts] = useState(typed);
  const [page, setPage] = useState(1);
  const [failure, setFailure] = useState<{ message: string; hint?: string | undefined } | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const preview = previews.find((one) => one.year === year);

  function change(sourceId: string, part: CopyDraft): void {
    const changed = new Map(drafts).set(sourceId, { ...drafts.get(sourceId), ...part });
    onTyped(changed);
    setDrafts(changed);
  }

  const { submit, busy } = useSubmit(async (shown: NewYearPreview) => {
    setFailure(null);
    try {
      onCreated(await createInParts(shown.year, chosenCopies(shown.copies, drafts), setProgress));
    } catch (error) {
      setProgress(null);
      setFailure({ message: messageOf(error, 'Gagal membuat data tahun baru'), hint: hintOfFailure(error) });
    }
  });

  if (!preview) return null;
  const unseenCount = preview.total - preview.copies.length;
  const hasEstimates = hasSource(preview, 'estimate');

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!preview || focusInvalidDate(event.currentTarget)) return;
    const wrong = firstWrong(preview.copies, drafts);
    if (wrong >= 0) {
      setPage(Math.floor(wrong / COPIES_PER_PAGE) + 1);
      focusFirstError(event.currentTarget);
    } else if (preview.copies.length > 0 && totalOf(preview.copies, drafts).count === 0) {
      setFailure({ message: fieldTexts.sourcesRequired });
    } else void submit(preview);
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text aria-live="polite">
          <NewYearOutcome preview={preview} drafts={drafts} />
        </Text>
        {previews.length > 1 ? (
          <Radio.Group
            label="Tahun yang dibuat"
            value={String(preview.year)}
            onChange={(value) => {
              setYear(Number(value));
              setPage(1);
            }}
          >
            <Stack gap="xs" mt={4}>
              {previews
                .toSorted((a, b) => a.year - b.year)
                .map((one) => (
                  <ChoiceCard
                    key={one.year}
                    value={String(one.year)}
                    title={String(one.year)}
                    text={previewText(one)}
                  />
                ))}
            </Stack>
          </Radio.Group>
        ) : null}
        {preview.copies.length > 0 ? (
          <>
            {hasEstimates ? (
              <Text>
                Samakan jumlah dan jatuh tempo dengan SPPT {preview.year}. Yang tidak diubah disimpan sebagai perkiraan.
              </Text>
            ) : null}
            <CopyList
              key={preview.year}
              year={preview.year}
              copies={preview.copies}
              drafts={drafts}
              page={page}
              onPage={setPage}
              onChange={change}
            />
          </>
        ) : null}
        {unseenCount > 0 ? (
          <Text c="dimmed" fz="sm">
            {formatNumber(unseenCount)} data lain tidak termuat di sini. Bila ada yang kurang, tekan Tahun Baru lagi
            sesudah ini.
          </Text>
        ) : null}
        {preview.year > yearOf(today()) && hasEstimates ? (
          <FormAlert
            kind="warning"
            message={`Tahun ${preview.year} belum tiba.`}
            hint={`SPPT ${preview.year} biasanya terbit pada awal tahun itu; sampai saat itu jumlahnya perkiraan.`}
          />
        ) : null}
        <Text c="dimmed" fz="sm">
          {growthText(preview)} Data tahun {preview.year - 1} tidak berubah.
        </Text>
        {failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}
        <Group justify="flex-end" gap="sm" className="dialog-actions">
          <Button variant="default" onClick={onCancel}>
            Batal
          </Button>
          <SaveButton busy={busy} busyLabel={progress ?? 'Membuat data...'}>
            Lanjut
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}
