import { type ReactNode, useState } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import type { Selection } from '#client/ui/list/rows/use-selection.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import type { AdminRecordFilter } from '../../api.ts';
import { adminRecordPages } from '../../admin-list-api.ts';
import { fieldTexts } from '#shared/texts.ts';
import { MarkPaidDialog, paidIds } from '../../display/mark-paid/mark-paid-dialog.tsx';
import type { MarkPaidResult } from '../../display/mark-paid/mark-paid.ts';
import { useMarkPaid } from '../../display/mark-paid/use-mark-paid.ts';
import { RecordSelectionBar } from './selection-bar.tsx';

/** More records than a page shows are marked only after a question, because they were not seen one by one. */
const UNASKED_MAX = 25;

type Props = {
  filter: AdminRecordFilter;
  /** The number of found records, and the number of them on this page. */
  total: number;
  rowCount: number;
  selection: Selection<TaxRecord>;
  children: ReactNode;
};

/** The actions on the selected records. They become paid on one date, which can be undone. */
export function SelectionActions({ filter, total, rowCount, selection, children }: Props) {
  const [dialog, setDialog] = useState<{ outcome: MarkPaidResult | null } | null>(null);
  const { mark, unmark, finishedCount } = useMarkPaid();
  const { selectAll, isLoading } = useSelectAll(filter, selection);
  const { rows: records } = selection;
  const [date, setDate] = useState<string | null>(null);
  const [dateError, setDateError] = useState<string>();
  // The next selection has a date of its own.
  if (records.length === 0 && (date !== null || dateError !== undefined)) chooseDate(null);

  function chooseDate(next: string | null): void {
    setDate(next);
    setDateError(undefined);
  }

  async function markPaid(): Promise<void> {
    const unpaid = records.filter(({ status }) => status !== 'lunas');
    if (unpaid.length === 0 || unpaid.length > UNASKED_MAX) {
      setDialog({ outcome: null });
      return;
    }
    if (date === null) {
      setDateError(fieldTexts.paymentDateRequired);
      return;
    }
    const result = await mark(unpaid, date);
    if (result.failed.length + result.notAttempted.length > 0) setDialog({ outcome: result });
    else focusHeading();
    selection.remove(paidIds(records, result));
  }

  async function unmarkPaid(): Promise<void> {
    const result = await unmark(records.filter(({ status }) => status === 'lunas'));
    if (!result) return;
    selection.remove(result.done.map(({ record }) => record.id));
    focusHeading();
  }

  // T asks before it marks, as in a row: a key is pressed by mistake more easily than a button.
  usePageKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== 't') return;
    if (records.length === 0 || dialog || finishedCount !== null) return;
    event.preventDefault();
    setDialog({ outcome: null });
  });

  const isAnyOutside = selection.allOnPage && total > rowCount && records.length < total;
  return (
    <>
      {records.length > 0 ? (
        <RecordSelectionBar
          records={records}
          selectableTotal={isAnyOutside ? total : null}
          isLoadingAll={isLoading}
          busy={finishedCount !== null}
          onSelectAll={() => void selectAll()}
          date={date}
          dateError={dateError}
          onDate={chooseDate}
          onMarkPaid={() => void markPaid()}
          onUnmarkPaid={() => void unmarkPaid()}
          onClear={() => {
            selection.clear();
            focusHeading();
          }}
        >
          {children}
        </RecordSelectionBar>
      ) : null}
      {dialog ? (
        <MarkPaidDialog
          records={records}
          initialDate={date}
          outcome={dialog.outcome}
          onClose={() => setDialog(null)}
          onDone={selection.remove}
        />
      ) : null}
    </>
  );
}

/** Selects everything that the filter finds, on all pages. */
function useSelectAll(filter: AdminRecordFilter, selection: Selection<TaxRecord>) {
  const [isLoading, setIsLoading] = useState(false);

  async function selectAll(): Promise<void> {
    setIsLoading(true);
    try {
      const { signal } = new AbortController();
      // The first page of this size holds all that may be selected.
      const { value } = await adminRecordPages(filter, signal).next();
      if (value) selection.add(value.rows);
    } catch (error) {
      notify.failure(error, 'Gagal memuat data pajak');
    } finally {
      setIsLoading(false);
    }
  }

  return { selectAll, isLoading };
}
