import { Button, Kbd } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import classes from './inbound.module.css';

type Props = {
  record: TaxRecord;
  disabled: boolean;
  busy: boolean;
  onMatch: () => void;
  onReject: () => void;
  onMarkPaid: () => void;
};

/** The name of a key, for those who have one. */
function KeyHint({ children }: { children: ReactNode }) {
  return (
    <Kbd aria-hidden className={classes['key'] ?? ''}>
      {children}
    </Kbd>
  );
}

/** What an admin can decide, each with its key. */
export function DecisionButtons({ record, disabled, busy, onMatch, onReject, onMarkPaid }: Props) {
  return (
    <>
      <div className={`${classes['decisions']} ${classes['row']}`}>
        <Button
          color="green"
          disabled={disabled}
          loading={busy}
          rightSection={<KeyHint>Enter</KeyHint>}
          aria-keyshortcuts="Enter"
          onClick={onMatch}
        >
          Cocok
        </Button>
        <Button
          variant="light"
          color="red"
          disabled={disabled || busy}
          rightSection={<KeyHint>X</KeyHint>}
          aria-keyshortcuts="X"
          aria-haspopup="dialog"
          onClick={onReject}
        >
          Tidak cocok
        </Button>
      </div>
      {record.status === 'lunas' ? null : (
        <Button
          variant="light"
          disabled={disabled || busy}
          rightSection={<KeyHint>L</KeyHint>}
          aria-keyshortcuts="L"
          aria-haspopup="dialog"
          onClick={onMarkPaid}
        >
          Cocok & tandai lunas
        </Button>
      )}
    </>
  );
}
