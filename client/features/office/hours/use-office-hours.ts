import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSettingsDraft } from '#client/ui/form/settings-form.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { OfficeHours } from '#shared/api/office/office.ts';
import { officeHoursQuery, officeQuery, saveOfficeHours } from '../api.ts';
import { draftOf, hasChanges, hoursOf } from './hours-draft.ts';

const FAILURE = 'Gagal menyimpan jam layanan';
const TICK_MS = 15_000;

/** The time of this page, often enough for a text that names minutes. */
function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

/** The input over the stored hours, saving, and closing early. */
export function useOfficeHours(saved: OfficeHours) {
  const queryClient = useQueryClient();
  const status = useQuery(officeQuery);
  const nowMs = useNowMs();

  async function store(hours: OfficeHours): Promise<void> {
    // A load that is under way may have read the hours before this change.
    await queryClient.cancelQueries({ queryKey: officeHoursQuery.queryKey });
    queryClient.setQueryData(officeHoursQuery.queryKey, await saveOfficeHours(hours));
    void queryClient.invalidateQueries({ queryKey: ['office'] });
  }

  const form = useSettingsDraft({
    saved: draftOf(saved),
    isSame: (draft) => !hasChanges(draft, saved),
    save: async (draft) => {
      const hours = hoursOf(draft, saved.closed_today);
      if (hours) await store(hours);
    },
    savedText: 'Jam layanan berhasil disimpan',
    failedText: FAILURE,
  });

  /** Stored at once and without what is typed: it concerns today. @returns whether it was stored */
  async function storeClosedToday(closed: boolean): Promise<boolean> {
    try {
      const current = await queryClient.fetchQuery(officeHoursQuery);
      await store({ ...current, closed_today: closed });
      return true;
    } catch (error) {
      notify.failure(error, FAILURE);
      return false;
    }
  }

  const setClosedToday = useSubmit(async (closed: boolean) => {
    if (!(await storeClosedToday(closed))) return;
    notify.undo({
      message: closed ? 'Kantor ditutup untuk sisa hari ini' : 'Kantor dibuka lagi',
      onUndo: () => void storeClosedToday(!closed),
    });
  });

  return {
    form,
    nowMs,
    medianMs: status.data?.median_ms ?? null,
    /** No hours are stored yet, so users read nothing of them. */
    isNeverSet: status.data?.open === true && status.data.until === null,
    setClosedToday,
  };
}
