import { ActionIcon, Button, Loader, Paper, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import classes from './selection-bar.module.css';

type Props = {
  /** The accessible name: 'Data yang dipilih'. */
  label: string;
  /** '3 dipilih · Rp 150.000'. */
  summary: ReactNode;
  note?: ReactNode;
  /** The number of found rows, while more of them can be selected; null otherwise. */
  selectableTotal: number | null;
  selectAllMax: number;
  /** The word for the rows: 'data'. */
  rowsWord: string;
  isLoadingAll?: boolean;
  onSelectAll: () => void;
  onClear: () => void;
  /** The actions. */
  children: ReactNode;
};

/** The selection and its actions. The bar stays visible while the admin scrolls and turns pages. */
export function SelectionBar(props: Props) {
  const { label, summary, note, selectableTotal, selectAllMax, rowsWord, onSelectAll, onClear, children } = props;
  const { isLoadingAll = false } = props;
  return (
    <Paper
      component="section"
      withBorder
      shadow="md"
      p="xs"
      className={`no-print ${classes['bar']}`}
      aria-label={label}
      data-selection-bar
    >
      <div className={classes['words']}>
        <Text component="output" display="block">
          {summary}
        </Text>
        {note}
        <ActionIcon color="gray" aria-label="Batalkan pilihan" title="Batalkan pilihan" onClick={onClear}>
          <IconX size={20} aria-hidden />
        </ActionIcon>
        {selectableTotal !== null && selectableTotal <= selectAllMax ? (
          <Button
            variant="subtle"
            px="xs"
            disabled={isLoadingAll}
            leftSection={isLoadingAll ? <Loader size={16} aria-hidden /> : undefined}
            onClick={onSelectAll}
          >
            {isLoadingAll
              ? `Memuat ${formatNumber(selectableTotal)} ${rowsWord}…`
              : `Pilih semua ${formatNumber(selectableTotal)} hasil`}
          </Button>
        ) : null}
        {selectableTotal !== null && selectableTotal > selectAllMax ? (
          <Text fz="sm" c="dimmed">
            Hasilnya {formatNumber(selectableTotal)} {rowsWord}; paling banyak {formatNumber(selectAllMax)} dapat
            dipilih sekaligus. Persempit dengan filter.
          </Text>
        ) : null}
      </div>
      <div className={classes['buttons']}>{children}</div>
    </Paper>
  );
}
