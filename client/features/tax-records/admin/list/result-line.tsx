import { Box, Button } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import { ResultLine } from '#client/ui/list/filter/result-line.tsx';
import { lastChangeAtom, setLastChange } from '../../display/mark-paid/use-mark-paid.ts';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import type { AdminRecordFilter, SummedRecordPage } from '../../api.ts';
import { CheckedLine } from '../../display/checked-line.tsx';
import { activeFilterParts } from '../../export/record-document.ts';
import classes from '#client/ui/list/filter/result-line.module.css';

type Props = {
  recordPage: SummedRecordPage | undefined;
  filter: AdminRecordFilter;
  onRemove: (keys: readonly (keyof AdminRecordFilter)[]) => void;
  onClear: () => void;
};

/** Only a paid record has a day of payment. */
const isPaidSum = ({ status, payment_from, payment_to }: AdminRecordFilter): boolean =>
  status === 'lunas' || payment_from !== '' || payment_to !== '';
/** A list of one part is named by its filter. */
const hasParts = (filter: AdminRecordFilter): boolean => isPaidSum(filter) && filter.verification === '';

/** The number of found records and their sum, and each filter with a button that removes it. */
export function RecordResultLine({ recordPage, filter, onRemove, onClear }: Props) {
  return (
    <ResultLine
      summary={
        recordPage ? (
          <>
            {formatNumber(recordPage.total)} data · <Money amount={recordPage.total_amount} />
            {recordPage.estimated.count > 0 ? `, ${estimatedText(recordPage.estimated)}` : null}
          </>
        ) : null
      }
      parts={activeFilterParts(filter, recordPage?.data[0]?.user.name)}
      onRemove={onRemove}
      onClear={onClear}
    >
      <LastChangeLine />
      {recordPage && hasParts(filter) ? (
        <Box flex="1 0 100%">
          <CheckedLine checked={recordPage.checked} where={{ ...filter, sort: '' }} />
        </Box>
      ) : null}
    </ResultLine>
  );
}

/**
 * The last change of status with its undo. It stays until the next change or undo, or until the admin leaves the page.
 * Ctrl+Z does the same as the button.
 */
function LastChangeLine() {
  const lastChange = useAtomValue(lastChangeAtom);
  useEffect(() => {
    setLastChange(null);
    return () => setLastChange(null);
  }, []);
  // A toast binds its keys later than the page, so its undo comes first.
  usePageKeys((event) => {
    if (event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    if (event.key.toLowerCase() !== 'z') return;
    if (lastChange) {
      event.preventDefault();
      lastChange.undo();
    } else if (event.target instanceof Element && event.target.closest('[data-record-list]'))
      notify.info('Tidak ada yang bisa diurungkan');
  });
  if (!lastChange) return null;
  return (
    <span className={classes['lastChange']}>
      <span>Terakhir: {lastChange.text}</span>
      <span aria-hidden>·</span>
      <Button
        variant="subtle"
        className={classes['chip'] ?? ''}
        title="Ctrl+Z"
        aria-label="Urungkan yang terakhir"
        aria-keyshortcuts="Control+Z"
        onClick={lastChange.undo}
      >
        Urungkan
      </Button>
    </span>
  );
}
