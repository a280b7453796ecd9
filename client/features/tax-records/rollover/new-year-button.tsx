import { Button, Loader } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { today } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { fieldTexts, rolloverText } from '#shared/texts.ts';
import { createNewYear, ownRecordListQuery } from '../api.ts';
import { reloadOwnRecords } from '../keys.ts';
import { newYearPreviews, type NewYearPreview } from './new-year-preview.ts';
import { NewYearChoice } from './new-year-choice.tsx';

/** The year to make, or null for none. */
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

/** Makes a year's records from those of the year before, after asking (specification 2.3). */
export function NewYearButton() {
  const queryClient = useQueryClient();
  const { submit, busy } = useSubmit(async () => {
    try {
      // Read afresh: the question tells how many records come, and that must be so.
      const { data } = await queryClient.fetchQuery({ ...ownRecordListQuery, staleTime: 0 });
      const year = await chooseYear(newYearPreviews(data, today()));
      if (year === null) return;
      notify.success(rolloverText(await createNewYear(year), year));
    } catch (error) {
      notify.failure(error, 'Gagal membuat data tahun baru');
      return;
    }
    await reloadOwnRecords(queryClient);
  });

  return (
    <Button
      variant="default"
      // Not switched off while it works: the focus returns here when the question is answered.
      aria-busy={busy || undefined}
      leftSection={busy ? <Loader size={18} aria-hidden /> : <IconCalendarPlus size={18} aria-hidden />}
      onClick={() => void submit()}
    >
      Tahun Baru
    </Button>
  );
}
