import { Button, Loader } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { today } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { rolloverText } from '#shared/rollover-texts.ts';
import { fieldTexts } from '#shared/texts.ts';
import { createNewYear, ownRecordListQuery, reloadRecords } from '../api.ts';
import { newYearPreviews, type NewYearPreview } from './new-year-preview.ts';
import { NewYearChoice } from './new-year-choice.tsx';

/** Asks for the year to create; null when the user declines. */
async function chooseYear(previews: NewYearPreview[]): Promise<number | null> {
  let year = previews[0]?.year ?? null;
  if (year === null) {
    notify.warning(fieldTexts.yearRange);
    return null;
  }
  const choose = (chosen: number) => {
    year = chosen;
  };
  const isConfirmed = await confirm({
    title: 'Konfirmasi',
    message: <NewYearChoice previews={previews} onChoose={choose} />,
  });
  return isConfirmed ? year : null;
}

/** Creates the records of a year from those of the year before, after a question (R-YEAR-9). */
export function NewYearButton() {
  const queryClient = useQueryClient();
  const { submit, busy } = useSubmit(async () => {
    try {
      // Fetched anew, because the question names the number of records that will be created.
      const { data } = await queryClient.fetchQuery({ ...ownRecordListQuery, staleTime: 0 });
      const year = await chooseYear(newYearPreviews(data, today()));
      if (year === null) return;
      const created = await createNewYear(year);
      const report = created.leftOutCount > 0 ? notify.warning : notify.success;
      report(rolloverText(created, year));
    } catch (error) {
      notify.failure(error, 'Gagal membuat data tahun baru');
      return;
    }
    await reloadRecords(queryClient);
  });

  return (
    <Button
      variant="default"
      px="sm"
      // Not disabled while busy, because the focus returns here after the question.
      aria-busy={busy || undefined}
      leftSection={busy ? <Loader size={18} aria-hidden /> : <IconCalendarPlus size={18} aria-hidden />}
      onClick={() => void submit()}
    >
      Tahun Baru
    </Button>
  );
}
