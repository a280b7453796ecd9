import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { recordLabel } from '../record-labels.ts';
import classes from './mark-paid-button.module.css';
import type { MarkableRecord } from './mark-paid.ts';
import { MarkPaidDialog } from './mark-paid-dialog.tsx';

type Props = {
  record: MarkableRecord;
  /** A row has a small button, and a page its main one. */
  size?: 'row' | 'page';
  /** Another act of the page matters more. */
  isSecond?: boolean;
};

/** 'Tandai Lunas' for one record, for admins; nothing for a record that is paid. */
export function MarkPaidButton({ record, size = 'row', isSecond = false }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { ref, onMarked } = useFocusAfterMark();
  const isPaid = record.status === 'lunas';
  return (
    <span ref={ref} style={{ display: 'contents' }}>
      {isPaid ? null : (
        <Button
          variant={isSecond ? 'default' : size === 'row' ? 'light' : 'filled'}
          {...(size === 'row' ? { px: 'xs', className: classes['small'] } : {})}
          leftSection={size === 'row' ? undefined : <IconCircleCheck size={18} aria-hidden />}
          aria-label={size === 'row' ? `Tandai Lunas ${recordLabel(record)}` : undefined}
          data-mark-paid
          onClick={() => setIsOpen(true)}
        >
          Tandai Lunas
        </Button>
      )}
      {/* It stays while it reports, although the record is paid by then. */}
      {isOpen ? (
        <MarkPaidDialog
          records={[record]}
          onDone={(ids) => {
            if (ids.length > 0) onMarked();
          }}
          onClose={() => {
            setIsOpen(false);
            ref.current?.querySelector<HTMLElement>('[data-mark-paid]')?.focus();
          }}
        />
      ) : null}
    </span>
  );
}

/** The pressed button disappears with the mark, so the focus moves to the link of its row, else to the heading. */
function useFocusAfterMark() {
  const ref = useRef<HTMLSpanElement>(null);
  const isMarked = useRef(false);

  useEffect(() => {
    if (!isMarked.current || ref.current?.querySelector('[data-mark-paid]')) return;
    isMarked.current = false;
    const link = ref.current?.closest('[data-row]')?.querySelector('a');
    if (document.activeElement !== document.body) return;
    if (link) link.focus();
    else focusHeading();
  });
  useEffect(
    () => () => {
      if (isMarked.current) focusHeading();
    },
    [],
  );

  return {
    ref,
    onMarked: () => {
      isMarked.current = true;
    },
  };
}
