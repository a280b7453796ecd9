import { Button, Checkbox, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId } from 'react';
import { formatRupiah } from '#client/lib/format.ts';
import { Pager } from '#client/ui/list/paging/pager.tsx';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { ESTIMATE_LABEL, OFFICE_LABEL } from '#shared/rollover-texts.ts';
import type { SuggestedCopy } from '#shared/api/tax-records/rollover.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { recordTitle } from '../display/record-labels.ts';
import { AmountField } from '../form/amount-field.tsx';
import { amountError, type CopyDraft, type CopyDrafts, draftAmount, isAmountTyped } from './copy-drafts.ts';
import classes from './copy-list.module.css';

/** Hundreds of fields at once would be slow on a cheap phone. */
export const COPIES_PER_PAGE = 10;

type Props = {
  year: number;
  copies: readonly SuggestedCopy[];
  drafts: CopyDrafts;
  page: number;
  onPage: (page: number) => void;
  onChange: (sourceId: string, change: CopyDraft) => void;
};

/** The copies of a new year before they exist, with amount and due date as fields (R-YEAR-18). */
export function CopyList({ year, copies, drafts, page, onPage, onChange }: Props) {
  const pageCount = Math.ceil(copies.length / COPIES_PER_PAGE);
  const shown = copies.slice((page - 1) * COPIES_PER_PAGE, page * COPIES_PER_PAGE);
  return (
    <>
      <ul className={classes['list']}>
        {shown.map((copy) => (
          <CopyFields
            key={copy.source_id}
            year={year}
            copy={copy}
            draft={drafts.get(copy.source_id)}
            onChange={(change) => onChange(copy.source_id, change)}
          />
        ))}
      </ul>
      {pageCount > 1 ? (
        <Pager page={page} pageCount={pageCount} onChange={onPage} label="Halaman data tahun baru" />
      ) : null}
    </>
  );
}

type CopyProps = {
  year: number;
  copy: SuggestedCopy;
  draft: CopyDraft | undefined;
  onChange: (change: CopyDraft) => void;
};

function CopyFields({ year, copy, draft, onChange }: CopyProps) {
  const titleId = useId();
  const amount = draftAmount(copy, draft);
  const isTyped = isAmountTyped(copy, draft);
  const isConfirmed = draft?.confirmed === true;
  const dueDate = draft?.dueDate === undefined ? copy.due_date : draft.dueDate;
  const isOffice = copy.amount_source === 'office';
  const isLeftOut = draft?.leftOut === true;
  return (
    <li className={classes['copy']} aria-labelledby={titleId}>
      <Checkbox
        id={`${titleId}-made`}
        checked={!isLeftOut}
        onChange={(event) => onChange({ leftOut: !event.currentTarget.checked })}
        label={
          <span id={titleId} className={classes['title']}>
            {recordTitle(copy)}
          </span>
        }
        description={`${formatSptNumber(copy.spt_number)} · ${year - 1}: ${formatRupiah(copy.amount_before)}`}
        classNames={{ body: classes['head'] ?? '' }}
      />
      {isLeftOut ? (
        <Text c="dimmed" fz="sm">
          Tidak dibuat.
        </Text>
      ) : (
        <div className={classes['fields']}>
          <div>
            <AmountField
              label="Jumlah"
              description={isTyped || isConfirmed ? 'Sesuai SPPT' : isOffice ? OFFICE_LABEL : ESTIMATE_LABEL}
              value={amount}
              onChange={(value) => onChange({ amount: value })}
              error={amountError(amount)}
            />
            {isTyped || isOffice ? null : (
              <Button
                variant={isConfirmed ? 'filled' : 'light'}
                size="compact-md"
                mih={44}
                mt={6}
                aria-pressed={isConfirmed}
                leftSection={isConfirmed ? <IconCheck size={18} aria-hidden /> : null}
                onClick={() => onChange({ confirmed: !isConfirmed })}
              >
                Sesuai SPPT
              </Button>
            )}
          </div>
          <DateField
            label="Jatuh tempo"
            description={
              dueDate !== copy.due_date || dueDate === null
                ? undefined
                : isOffice
                  ? OFFICE_LABEL
                  : 'Perkiraan (setahun kemudian)'
            }
            openAt={`${year}-09-01`}
            example={`${year}-09-30`}
            hasCalendar={false}
            value={dueDate}
            onChange={(date) => onChange({ dueDate: date })}
          />
        </div>
      )}
    </li>
  );
}
