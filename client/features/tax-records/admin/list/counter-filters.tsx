import { Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import type { RecordStatus } from '#shared/domain/tax-record-fields.ts';
import { type AdminRecordFilter, adminStatisticsQuery } from '../../api.ts';
import classes from './counter-filters.module.css';

type Props = {
  filter: AdminRecordFilter;
  onChange: (part: Partial<AdminRecordFilter>) => void;
};

type CounterProps = {
  label: string;
  value: number | undefined;
  detail?: ReactNode;
  color: 'red' | 'yellow' | 'green';
  loading: boolean;
  pressed: boolean;
  onPress: () => void;
};

function Counter({ label, value, detail, color, loading, pressed, onPress }: CounterProps) {
  return (
    <UnstyledButton className={classes['counter']} data-color={color} aria-pressed={pressed} onClick={onPress}>
      <span className={classes['label']}>{label}</span>
      {loading ? (
        <Skeleton height={18} width="3rem" />
      ) : (
        <>
          {/* A counter without data shows '–' and not 0 (R-REC-20). */}
          <strong className="tabular">{value === undefined ? '–' : formatNumber(value)}</strong>
          {detail}
        </>
      )}
    </UnstyledButton>
  );
}

/** The number of records in each status, over all users, and what is overdue. Each filters the list (R-REC-20). */
export function CounterFilters({ filter, onChange }: Props) {
  const { data, isPending } = useQuery(adminStatisticsQuery);
  const overdue = data?.tasks.overdue;
  const counterOf = (status: RecordStatus) => ({
    value: data?.[status],
    loading: isPending,
    pressed: filter.status === status,
    onPress: () => onChange({ status: filter.status === status ? '' : status, view: '' }),
  });
  return (
    <section aria-label="Saring menurut status" className={`no-print ${classes['counters']}`}>
      <Counter label="Belum Bayar" color="red" {...counterOf('belum_lunas')} />
      <Counter label="Sedang Diproses" color="yellow" {...counterOf('proses')} />
      <Counter label="Selesai" color="green" {...counterOf('lunas')} />
      <Counter
        label="Tunggakan"
        color="red"
        value={overdue?.count}
        detail={
          overdue ? (
            <span className={classes['detail']}>
              <Money amount={overdue.amount} />
              {overdue.estimated.count > 0 ? `, ${estimatedText(overdue.estimated)}` : null}
            </span>
          ) : undefined
        }
        loading={isPending}
        pressed={filter.view === 'overdue'}
        onPress={() => onChange({ view: filter.view === 'overdue' ? '' : 'overdue', status: '' })}
      />
    </section>
  );
}
