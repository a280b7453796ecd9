import { Button, Loader } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { NEW_YEAR_HASH, paths } from '#client/paths.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { NewYearPreview } from '#shared/api/tax-records/rollover.ts';
import { rolloverText } from '#shared/rollover-texts.ts';
import { fieldTexts } from '#shared/texts.ts';
import { newYearQuery, reloadRecords } from '../api.ts';
import type { CopyDrafts } from './copy-drafts.ts';
import { type MadeCopies, NewYearForm } from './new-year-form.tsx';

/** Shows the copies before they exist. @returns what was made; null when the user declines */
async function askAndCreate(
  previews: NewYearPreview[],
  typed: CopyDrafts,
  onTyped: (drafts: CopyDrafts) => void,
): Promise<MadeCopies | null> {
  if (previews.length === 0) {
    notify.warning(fieldTexts.yearRange);
    return null;
  }
  let made: MadeCopies | null = null;
  await confirm({
    title: 'Konfirmasi',
    content: (answer) => (
      <NewYearForm
        previews={previews}
        typed={typed}
        onTyped={onTyped}
        onCancel={() => answer(false)}
        onCreated={(result) => {
          made = result;
          answer(true);
        }}
      />
    ),
  });
  return made;
}

/** Creates the records of a year from those of the year before, after a question (R-YEAR-9). */
export function NewYearButton() {
  const queryClient = useQueryClient();
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const typed = useRef<CopyDrafts>(new Map());
  const { submit, busy } = useSubmit(async () => {
    try {
      // Fetched anew, because the question shows what will be created.
      const { years } = await queryClient.fetchQuery(newYearQuery);
      const made = await askAndCreate(years, typed.current, (drafts) => {
        typed.current = drafts;
      });
      if (made === null) return;
      const { created, isWhole } = made;
      if (isWhole) typed.current = new Map();
      const report = created.leftOutCount > 0 ? notify.warning : notify.success;
      report(rolloverText(created, created.year));
    } catch (error) {
      notify.failure(error, 'Gagal membuat data tahun baru');
      return;
    }
    await reloadRecords(queryClient);
  });

  const isAsked = hash === NEW_YEAR_HASH;
  useEffect(() => {
    if (!isAsked) return;
    // Going back must not ask again.
    void navigate(`${paths.records}${search}`, { replace: true });
    void submit();
    // Only when a link asks.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isAsked]);

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
