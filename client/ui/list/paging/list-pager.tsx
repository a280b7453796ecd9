import { ActionIcon, NativeSelect, Text, TextInput } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronLeftPipe,
  IconChevronRight,
  IconChevronRightPipe,
  type TablerIcon,
} from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { PAGE_SIZES, type PageSize } from './page-size.ts';
import classes from './list-pager.module.css';

type Props = {
  page: number;
  pageSize: PageSize;
  total: number;
  onPage: (page: number) => void;
  onPageSize: (size: PageSize) => void;
  /** The accessible name: 'Halaman data PBB'. */
  label: string;
};

type StepProps = { label: string; title: string; icon: TablerIcon; disabled: boolean; onClick: () => void };

function StepButton({ label, title, icon: Icon, disabled, onClick }: StepProps) {
  return (
    <ActionIcon
      variant="default"
      className={classes['step'] ?? ''}
      aria-label={label}
      title={title}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  );
}

/** Goes to the page that is typed. The number counts on Enter and when the field is left. */
function PageField({ page, pageCount, onPage }: { page: number; pageCount: number; onPage: (page: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);

  function go(): void {
    if (typed === null) return;
    setTyped(null);
    const digits = typed.replaceAll('.', '').trim();
    if (!/^\d{1,9}$/.test(digits)) return;
    const wanted = Math.min(Math.max(Number(digits), 1), pageCount);
    if (wanted !== page) onPage(wanted);
  }

  return (
    <TextInput
      aria-label={`Ke halaman, 1 sampai ${formatNumber(pageCount)} (Go to page)`}
      inputMode="numeric"
      className={classes['field'] ?? ''}
      value={typed ?? formatNumber(page)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={go}
      onKeyDown={(event) => {
        if (event.key === 'Enter') go();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}

/** 'n–m dari N', the size of a page, and ways to the first, previous, next, last or any page; pages count from 1. */
export function ListPager({ page, pageSize, total, onPage, onPageSize, label }: Props) {
  const pageCount = Math.max(1, Math.ceil(total / pageSize));
  const current = Math.min(Math.max(page, 1), pageCount);
  const first = total === 0 ? 0 : (current - 1) * pageSize + 1;
  const last = Math.min(current * pageSize, total);
  const isFirst = current <= 1;
  const isLast = current >= pageCount;
  return (
    <nav aria-label={label} className={`${classes['pager']} no-print`}>
      <Text fz="sm" className="tabular" aria-live="polite">
        {formatNumber(first)}–{formatNumber(last)} dari {formatNumber(total)}
      </Text>
      <NativeSelect
        className={classes['size'] ?? ''}
        aria-label="Baris per halaman (Page size)"
        data={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} per halaman` }))}
        value={String(pageSize)}
        onChange={(event) => {
          const chosen = PAGE_SIZES.find((size) => String(size) === event.currentTarget.value);
          if (chosen) onPageSize(chosen);
        }}
      />
      {pageCount > 1 ? (
        <div className={classes['pages']}>
          <StepButton
            label="Halaman pertama (First)"
            title="Halaman pertama"
            icon={IconChevronLeftPipe}
            disabled={isFirst}
            onClick={() => onPage(1)}
          />
          <StepButton
            label="Sebelumnya (Previous)"
            title="Sebelumnya"
            icon={IconChevronLeft}
            disabled={isFirst}
            onClick={() => onPage(current - 1)}
          />
          <PageField page={current} pageCount={pageCount} onPage={onPage} />
          <Text fz="sm" c="dimmed" className={`${classes['of']} tabular`}>
            dari {formatNumber(pageCount)}
          </Text>
          <StepButton
            label="Berikutnya (Next)"
            title="Berikutnya"
            icon={IconChevronRight}
            disabled={isLast}
            onClick={() => onPage(current + 1)}
          />
          <StepButton
            label="Halaman terakhir (Last)"
            title="Halaman terakhir"
            icon={IconChevronRightPipe}
            disabled={isLast}
            onClick={() => onPage(pageCount)}
          />
        </div>
      ) : null}
    </nav>
  );
}
