import { useQueryClient } from '@tanstack/react-query';
import { atom, getDefaultStore } from 'jotai';
import { useRef, useState } from 'react';
import { formatNumber, formatRupiah } from '#client/lib/format.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { changeRecords, reloadRecords } from '../../api.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import {
  type MarkableRecord,
  markPaid,
  type MarkedRecord,
  type MarkPaidResult,
  restoreRecords,
  unmarkPaid,
} from './mark-paid.ts';

/** The last change of status in words, and its undo. */
type LastChange = { text: string; undo: () => void };

const store = getDefaultStore();

/** The last change that can still be undone: set by `useMarkPaid`, shown above the admins' list of records (R-REC-21). */
export const lastChangeAtom = atom<LastChange | null>(null);

export function setLastChange(change: LastChange | null): void {
  store.set(lastChangeAtom, change);
}

/** Names some of the records whose change could not be undone. */
const NAMED_MAX = 3;

function notChangedText({ failed, notAttempted }: MarkPaidResult, total: number): string {
  const left = [...failed.map(({ record }) => record), ...notAttempted];
  const names = left.slice(0, NAMED_MAX).map(({ name, year }) => `${name} (${year})`);
  const more = left.length > NAMED_MAX ? `, dan ${formatNumber(left.length - NAMED_MAX)} lainnya` : '';
  return `${formatNumber(left.length)} dari ${formatNumber(total)} data tidak dapat dikembalikan: ${names.join(', ')}${more}`;
}

/**
 * Marks records as paid and offers to undo it, which restores status and payment date (R-REC-21).
 * `finishedCount` is null while nothing runs.
 */
export function useMarkPaid() {
  const state = useStatusChange();
  useUnsavedWarning(state.finishedCount !== null);
  return state;
}

/** As `useMarkPaid`, without the warning before the page is left, of which a page can have only one. */
export function useStatusChange() {
  const queryClient = useQueryClient();
  const [finishedCount, setFinishedCount] = useState<number | null>(null);
  const abort = useRef(new AbortController());

  async function undo(marked: readonly MarkedRecord[]): Promise<void> {
    const { signal } = new AbortController();
    const result = await restoreRecords(marked, { send: changeRecords, onProgress: () => {}, signal });
    if (result.done.length === marked.length) notify.info(`${formatNumber(marked.length)} data dikembalikan.`);
    else notify.error(notChangedText(result, marked.length), result.failed[0]?.reason);
    await reloadRecords(queryClient);
  }

  /** Offers the undo twice: in a toast, and for longer above the list. It runs only once. */
  function offerUndo({ done }: MarkPaidResult, act: string): void {
    if (done.length === 0) return;
    const text = `${formatNumber(done.length)} data ${act} · ${formatRupiah(totalAmount(done.map(({ record }) => record)))}`;
    const undoOnce = (): void => {
      setLastChange(null);
      notify.hideUndo();
      void undo(done);
    };
    notify.undo({ message: text, onUndo: undoOnce });
    setLastChange({ text, undo: undoOnce });
  }

  async function run(act: string, change: (signal: AbortSignal) => Promise<MarkPaidResult>): Promise<MarkPaidResult> {
    abort.current = new AbortController();
    setFinishedCount(0);
    try {
      const result = await change(abort.current.signal);
      offerUndo(result, act);
      return result;
    } finally {
      setFinishedCount(null);
      void reloadRecords(queryClient);
    }
  }

  const options = { send: changeRecords, onProgress: setFinishedCount };
  /** @returns the outcome; a toast has reported the records that are paid now */
  const mark = (records: readonly MarkableRecord[], date: string) =>
    run('ditandai lunas', (signal) => markPaid(records, date, { ...options, signal }));

  /** Asks first. @returns the outcome, or null when the answer was no */
  async function unmark(records: readonly MarkableRecord[]): Promise<MarkPaidResult | null> {
    const isConfirmed = await confirm({
      title: 'Batalkan lunas',
      message: `${formatNumber(records.length)} data senilai ${formatRupiah(totalAmount(records))} kembali ke Belum Lunas, dan tanggal pembayarannya dihapus.`,
      confirmLabel: 'Batalkan lunas',
      cancelLabel: 'Tidak',
    });
    if (!isConfirmed) return null;
    const result = await run('dibatalkan lunasnya', (signal) => unmarkPaid(records, { ...options, signal }));
    const { failed, notAttempted } = result;
    if (failed.length + notAttempted.length > 0)
      notify.error(notChangedText(result, records.length), failed[0]?.reason);
    return result;
  }

  return { mark, unmark, finishedCount, stop: () => abort.current.abort() };
}
