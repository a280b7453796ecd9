import { Button, Kbd, Text } from '@mantine/core';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { statusLabels } from '#shared/labels.ts';
import classes from './inbound.module.css';

type Props = {
  record: TaxRecord;
  disabled: boolean;
  busy: boolean;
  onMatch: () => void;
  onReject: () => void;
  onMarkPaid: () => void;
};

const HINT_ID = 'cocok-status';

/** What an admin can decide, each with its key. */
export function DecisionButtons({ record, disabled, busy, onMatch, onReject, onMarkPaid }: Props) {
  const isPaid = record.status === 'lunas';
  return (
    <>
      <div className={`${classes['decisions']} ${classes['row']}`}>
        <Button
          color="green"
          disabled={disabled}
          loading={busy}
          rightSection={<Kbd aria-hidden>Enter</Kbd>}
          aria-keyshortcuts="Enter"
          aria-describedby={isPaid ? undefined : HINT_ID}
          onClick={onMatch}
        >
          Cocok
        </Button>
        <Button
          variant="light"
          color="red"
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
        <>
          <Text id={HINT_ID} fz="sm" c="dimmed" className={classes['hint'] ?? ''}>
            Cocok saja: status tetap {statusLabels[record.status]}.
          </Text>
          <Button
            variant="light"
            disabled={disabled || busy}
            rightSection={<Kbd aria-hidden>L</Kbd>}
            aria-keyshortcuts="L"
            aria-haspopup="dialog"
            onClick={onMarkPaid}
          >
            Cocok & tandai lunas
          </Button>
        </>
      )}
    </>
  );
}
