import { Button, ThemeIcon } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { firstStepsQuery } from '#client/features/first-steps/api.ts';
import { recordSettingsQuery, saveRecordSettings } from '#client/features/tax-records/api.ts';
import { useRecordSettings } from '#client/features/tax-records/display/use-record-settings.ts';
import { today } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { openYearBounds, withOpenYear } from '#shared/domain/tax-records/open-years.ts';
import classes from './tasks.module.css';

/** This year while users cannot enter it, and the act that opens it; `year` is null when there is nothing to do. */
export function useClosedYear() {
  const queryClient = useQueryClient();
  const { data } = useRecordSettings();
  const thisYear = yearOf(today());
  const isClosed = data && thisYear <= openYearBounds(today()).last && !data.user_years.includes(thisYear);

  async function store(userYears: readonly number[]): Promise<boolean> {
    try {
      const stored = await saveRecordSettings({ user_years: [...userYears] });
      await queryClient.cancelQueries({ queryKey: recordSettingsQuery.queryKey });
      queryClient.setQueryData(recordSettingsQuery.queryKey, stored);
      // Choosing the years is one of the first steps, too.
      void queryClient.invalidateQueries({ queryKey: firstStepsQuery.queryKey });
      return true;
    } catch (error) {
      notify.failure(error, 'Gagal menyimpan tahun pajak warga');
      return false;
    }
  }

  /** Only what was opened is closed again: a colleague may have opened another year meanwhile. */
  async function close(replaced: number | undefined): Promise<void> {
    await queryClient.refetchQueries({ queryKey: recordSettingsQuery.queryKey });
    const now = queryClient.getQueryData(recordSettingsQuery.queryKey)?.user_years ?? [];
    const others = now.filter((year) => year !== thisYear);
    await store(replaced === undefined ? others : withOpenYear(others, replaced));
  }

  const { submit: open, busy } = useSubmit(async () => {
    if (!data) return;
    const before = data.user_years;
    const after = withOpenYear(before, thisYear);
    if (!(await store(after))) return;
    const closed = before.find((year) => !after.includes(year));
    notify.undo({
      message: `Tahun ${thisYear} dibuka untuk warga${closed === undefined ? '' : `, tahun ${closed} ditutup`}`,
      onUndo: () => void close(closed),
    });
  });

  return { year: isClosed ? thisYear : null, open, busy };
}

type Props = Omit<ReturnType<typeof useClosedYear>, 'year'> & { year: number };

/** Users cannot enter the SPPT of this year until an admin opens it (R-YEAR-17). */
export function OpenYearTask({ year, open, busy }: Props) {
  return (
    <div className={classes['tile']} data-task="open-year">
      <ThemeIcon size={36} radius="md" variant="light" color="yellow" aria-hidden>
        <IconCalendarPlus size={20} />
      </ThemeIcon>
      <span className={classes['words']}>
        <span className={classes['label']}>Warga belum dapat mengisi SPPT {year}</span>
        <Button
          variant="light"
          size="compact-md"
          mih={44}
          mt={4}
          className={classes['act'] ?? ''}
          aria-busy={busy || undefined}
          onClick={() => void open()}
        >
          Buka tahun {year}
        </Button>
      </span>
    </div>
  );
}
