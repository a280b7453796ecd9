import { useQuery } from '@tanstack/react-query';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { Money } from '#client/ui/data/money.tsx';
import { FilterCounter } from '#client/ui/list/filter/filter-counter.tsx';
import type { FilterChange } from '#client/ui/list/filter/url-filter.ts';
import type { RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import { type AdminRecordFilter, adminStatisticsQuery } from '../../api.ts';
import classes from './counter-filters.module.css';

type Props = { filter: AdminRecordFilter; onChange: FilterChange<AdminRecordFilter> };

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
      <FilterCounter label="Belum Bayar" color="red" {...counterOf('belum_lunas')} />
      <FilterCounter label="Sedang Diproses" color="yellow" {...counterOf('proses')} />
      <FilterCounter label="Selesai" color="green" {...counterOf('lunas')} />
      <FilterCounter
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
