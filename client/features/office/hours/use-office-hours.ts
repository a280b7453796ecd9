import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { OfficeHours } from '#shared/api/office/office.ts';
import { officeHoursQuery, officeQuery, saveOfficeHours } from '../api.ts';
import { draftOf, hasChanges, hoursOf, type HoursDraft } from './hours-draft.ts';

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

/** The stored hours, what was typed over them, and saving. A failed save keeps what was typed. */
export function useOfficeHours() {
  const queryClient = useQueryClient();
  const query = useQuery(officeHoursQuery);
  const status = useQuery(officeQuery);
  const nowMs = useNowMs();
  const [typed, setTyped] = useState<HoursDraft | null>(null);
  const [failure, setFailure] = useState<{ message: string; hint: string | undefined } | null>(null);
  const saved = query.data;
  const draft = typed ?? (saved ? draftOf(saved) : null);
  const isUnsaved = typed !== null && saved !== undefined && hasChanges(typed, saved);

  async function store(hours: OfficeHours): Promise<void> {
    // A load that is under way may have read the hours before this change.
    await queryClient.cancelQueries({ queryKey: officeHoursQuery.queryKey });
    queryClient.setQueryData(officeHoursQuery.queryKey, await saveOfficeHours(hours));
    void queryClient.invalidateQueries({ queryKey: ['office'] });
  }

  const save = useSubmit(async () => {
    const hours = draft && saved ? hoursOf(draft, saved.closed_today) : null;
    if (!hours) return;
    setFailure(null);
    try {
      await store(hours);
      setTyped(null);
      notify.success('Jam layanan berhasil disimpan');
    } catch (error) {
      setFailure({ message: messageOf(error, FAILURE), hint: hintOf(error) });
    }
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
    query,
    saved,
    draft,
    isUnsaved,
    failure,
    nowMs,
    medianMs: status.data?.median_ms ?? null,
    /** No hours are stored yet, so users read nothing of them. */
    isNeverSet: status.data?.open === true && status.data.until === null,
    change: setTyped,
    discard: (): void => {
      setTyped(null);
      setFailure(null);
    },
    save,
    setClosedToday,
  };
}
