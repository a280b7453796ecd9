import { Button, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { formatNumber } from '#client/lib/format.ts';
import classes from './pager.module.css';

type Props = {
  page: number;
  pageCount: number;
  onChange: (page: number) => void;
  /** The accessible name: 'Halaman aktivitas'. */
  label?: string;
};

/** Buttons for the previous and the next page; pages count from 1. */
export function Pager({ page, pageCount, onChange, label = 'Halaman' }: Props) {
  const last = Math.max(pageCount, 1);
  const current = Math.min(Math.max(page, 1), last);
  return (
    <nav aria-label={label} className={`${classes['pager']} no-print`}>
      <Button
        variant="default"
        px="sm"
        classNames={{ root: classes['back'] ?? '', section: classes['arrow'] ?? '' }}
        leftSection={<IconChevronLeft size={18} aria-hidden />}
        aria-label="Sebelumnya (Previous)"
        disabled={current <= 1}
        onClick={() => onChange(current - 1)}
      >
        Sebelumnya
      </Button>
      <Text fz="sm" c="dimmed" className={`${classes['where']} tabular`} aria-live="polite">
        Halaman {formatNumber(current)} dari {formatNumber(last)}
      </Text>
      <Button
        variant="default"
        px="sm"
        classNames={{ root: classes['forth'] ?? '', section: classes['arrow'] ?? '' }}
        rightSection={<IconChevronRight size={18} aria-hidden />}
        aria-label="Berikutnya (Next)"
        disabled={current >= last}
        onClick={() => onChange(current + 1)}
      >
        Berikutnya
      </Button>
    </nav>
  );
}
