import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { DateField } from '#client/ui/form/date-field.tsx';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { type AdminRecordFilter, adminStatisticsQuery } from '../../api.ts';
import {
  ALL_OPTION,
  propertyTypeOptions,
  statusOptions,
  toOptions,
  toPropertyTypeFilter,
  toStatusFilter,
  toYearOptions,
} from '../../pages/list-filter.ts';
import { verificationFilterLabels, verificationFilterText } from '../../display/verification/verification-text.ts';
import { proofLabels, viewLabels } from '../../export/record-document.ts';
import { sortLabels, toProof, toSort, toVerification, toView } from './use-list-params.ts';
import classes from './filter-toolbar.module.css';

const sortOptions = toOptions(sortLabels);
const viewOptions = [ALL_OPTION, ...toOptions(viewLabels)];
const proofOptions = [ALL_OPTION, ...toOptions(proofLabels)];
const defaultYears = Array.from({ length: YEAR_MAX - YEAR_MIN + 1 }, (_, index) => YEAR_MAX - index);

/** One state each, and the chosen ones together where the URL names several. */
function toVerificationOptions(chosen: string) {
  const several = chosen.includes(',') ? [{ value: chosen, label: verificationFilterText(chosen) }] : [];
  return [ALL_OPTION, ...toOptions(verificationFilterLabels), ...several];
}

type Props = {
  filter: AdminRecordFilter;
  onChange: (part: Partial<AdminRecordFilter>) => void;
  /** At the end of the fields. */
  children?: ReactNode;
};
type DatePart = 'due_from' | 'due_to' | 'payment_from' | 'payment_to';

/** All filters and the sort order; the toolbar has the search. */
export function FilterFields({ filter, onChange, children }: Props) {
  const statistics = useQuery(adminStatisticsQuery).data;
  // The years that have records, and all allowed years while the statistics are missing.
  const years = statistics ? statistics.by_year.map(({ year }) => year) : defaultYears;
  const dateField = (label: string, part: DatePart) => (
    <DateField
      label={label}
      example={null}
      value={filter[part] || null}
      onChange={(date) => onChange({ [part]: date ?? '' })}
    />
  );
  return (
    <div className={classes['fields']}>
      <UserPicker
        label="Pemilik"
        placeholder="Semua"
        clearable
        value={filter.user_id}
        onChange={(user) => onChange({ user_id: user?.id ?? '' })}
      />
      <NativeSelect
        label="Status"
        data={statusOptions}
        value={filter.status}
        onChange={(event) => onChange({ status: toStatusFilter(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Tampilan"
        data={viewOptions}
        value={filter.view}
        onChange={(event) => onChange({ view: toView(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Bukti"
        data={proofOptions}
        value={filter.proof}
        onChange={(event) => onChange({ proof: toProof(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Pencocokan"
        data={toVerificationOptions(filter.verification)}
        value={filter.verification}
        onChange={(event) => onChange({ verification: toVerification(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Jenis Properti"
        data={propertyTypeOptions}
        value={filter.property_type}
        onChange={(event) => onChange({ property_type: toPropertyTypeFilter(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Tahun"
        data={[ALL_OPTION, ...toYearOptions(years, filter.year)]}
        value={filter.year}
        onChange={(event) => onChange({ year: event.currentTarget.value })}
      />
      <NativeSelect
        label="Urutkan"
        data={sortOptions}
        value={filter.sort}
        onChange={(event) => onChange({ sort: toSort(event.currentTarget.value) })}
      />
      {dateField('Jatuh tempo dari', 'due_from')}
      {dateField('Jatuh tempo sampai', 'due_to')}
      {dateField('Tanggal bayar dari', 'payment_from')}
      {dateField('Tanggal bayar sampai', 'payment_to')}
      {children}
    </div>
  );
}
