import { Button, Kbd, Text } from '@mantine/core';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { statusLabels } from '#shared/labels.ts';
import classes from './inbound.module.css';

type Props = {
  record: TaxRecord;
  disabled: boolean;
  busy: boolean;
  /** The form of the date field, which the main button of an unpaid record sends. */
  formId: string;
  /** Without a photo a key decides nothing. */
  hasKeys: boolean;
  onMatch: () => void;
  onReject: () => void;
};

const HINT_ID = 'cocok-saja';

/** The possible decisions, each with its key. A match alone pays nothing, so its button is small for an unpaid record (R-CHECK-43). */
export function DecisionButtons({ record, disabled, busy, formId, hasKeys, onMatch, onReject }: Props) {
  const isPaid = record.status === 'lunas';
  const mainKey = hasKeys
    ? { rightSection: <Kbd aria-hidden>Enter</Kbd>, 'aria-keyshortcuts': 'Enter' }
    : { 'aria-haspopup': 'dialog' as const };
  return (
    <div className={classes['decisions']}>
      <div className={classes['row']}>
        <Button
          color="green"
          px="sm"
          disabled={disabled}
          loading={busy}
          {...mainKey}
          {...(isPaid ? { onClick: onMatch } : { type: 'submit', form: formId })}
        >
          {isPaid ? 'Cocok' : 'Cocok & tandai lunas'}
        </Button>
        <Button
          variant="light"
          color="red"
          px="sm"
          disabled={disabled || busy}
          rightSection={<Kbd aria-hidden>X</Kbd>}
          aria-keyshortcuts="X"
          aria-haspopup="dialog"
          onClick={onReject}
        >
          Tidak cocok
        </Button>
      </div>
      {isPaid ? null : (
        <div className={classes['matchOnly']}>
          <Button
            variant="subtle"
            px="xs"
            fz="sm"
            disabled={disabled || busy}
            {...(hasKeys ? { rightSection: <Kbd aria-hidden>C</Kbd>, 'aria-keyshortcuts': 'C' } : {})}
            aria-describedby={HINT_ID}
            onClick={onMatch}
          >
            Cocok saja
          </Button>
          <Text id={HINT_ID} fz="sm" c="dimmed">
            {stillOwedText(record)}
          </Text>
        </div>
      )}
    </div>
  );
}

/** The result for the owner of a decision that leaves the record unpaid. */
export const stillOwedText = ({ status }: Pick<TaxRecord, 'status'>): string =>
  `Tetap ${statusLabels[status]}; masih menunggak`;
