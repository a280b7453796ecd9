import { ActionIcon, Button, Paper, Text } from '@mantine/core';
import { IconCircleCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import classes from './selection-bar.module.css';

type Props = {
  records: readonly TaxRecord[];
  onMarkPaid: () => void;
  onClear: () => void;
  /** Further actions. */
  children: ReactNode;
};

/** The selection and its actions. The bar stays visible while the admin scrolls and turns pages. */
export function SelectionBar({ records, onMarkPaid, onClear, children }: Props) {
  return (
    <Paper
      component="section"
      withBorder
      shadow="md"
      p="sm"
      className={`no-print ${classes['bar']}`}
      aria-label="Data yang dipilih"
    >
      <div className={classes['words']}>
        <Text component="output" display="block">
          <strong>{formatNumber(records.length)} dipilih</strong>
          {' · '}
          <Money amount={totalAmount(records)} />
        </Text>
        <ActionIcon color="gray" aria-label="Batalkan pilihan" title="Batalkan pilihan" onClick={onClear}>
          <IconX size={20} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes['buttons']}>
        <Button px="md" leftSection={<IconCircleCheck size={18} aria-hidden />} onClick={onMarkPaid}>
          Tandai Lunas
        </Button>
        {children}
      </div>
    </Paper>
  );
}
