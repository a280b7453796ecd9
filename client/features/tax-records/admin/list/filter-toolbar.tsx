import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { choicesOf, FilterSelect, SortSelect } from '#client/ui/list/filter/filter-fields.tsx';
import { FilterToolbar } from '#client/ui/list/filter/filter-toolbar.tsx';
import type { FilterChange } from '#client/ui/list/filter/url-filter.ts';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { type AdminRecordFilter, adminStatisticsQuery } from '../../api.ts';
import { verificationFilterLabels, verificationFilterText } from '../../display/verification/verification-text.ts';
import { proofLabels, viewLabels } from '../../export/record-document.ts';
import { filterYears, propertyTypeChoices, statusChoices, yearChoices } from '../../pages/filter-choices.ts';
import { sortLabels } from './admin-filter.ts';

const defaultYears = Array.from({ length: YEAR_MAX - YEAR_MIN + 1 }, (_, index) => YEAR_MAX - index);

type Props = {
  filter: AdminRecordFilter;
  onChange: FilterChange<AdminRecordFilter>;
  /** The number of records that the filter finds; undefined while it is loaded. */
  total: number | undefined;
  isPhone: boolean;
  /** Further tools, at the end of the line. */
  children: ReactNode;
};

/** Search and filters of the records. */
export function RecordFilterToolbar({ filter, total, isPhone, onChange, children }: Props) {
  const { search: _search, sort: _sort, ...parts } = filter;
  return (
    <FilterToolbar
      label="Saring data"
      placeholder="Nama, alamat, nomor SPT, pemilik"
      search={filter.search}
      onSearch={(search) => onChange({ search }, { replace: filter.search !== '' })}
      activeCount={Object.values(parts).filter((value) => value !== '').length}
      fields={<FilterFields filter={filter} onChange={onChange} />}
      showText={isPhone && total !== undefined ? `Tampilkan ${formatNumber(total)} data` : null}
    >
      {children}
    </FilterToolbar>
  );
}

/** One state each, and the chosen ones together where the URL names several. */
function verificationChoices(chosen: string) {
  const several = chosen.includes(',') ? [{ value: chosen, label: verificationFilterText(chosen) }] : [];
  return [...choicesOf<string>(verificationFilterLabels), ...several];
}

type DatePart = 'due_from' | 'due_to' | 'payment_from' | 'payment_to';
const dateLabels: Record<DatePart, string> = {
  due_from: 'Jatuh tempo dari',
  due_to: 'Jatuh tempo sampai',
  payment_from: 'Tanggal bayar dari',
  payment_to: 'Tanggal bayar sampai',
};

/** All filters and the sort order; the toolbar has the search. */
function FilterFields({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const statistics = useQuery(adminStatisticsQuery).data;
  // The years that have records, and all allowed years while the statistics are missing.
  const years = statistics ? statistics.by_year.map(({ year }) => year) : defaultYears;
  return (
    <>
      <UserPicker
        label="Pemilik"
        placeholder="Semua"
        clearable
        value={filter.user_id}
        onChange={(user) => onChange({ user_id: user?.id ?? '' })}
      />
      <FilterSelect
        label="Status"
        choices={statusChoices}
        value={filter.status}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        label="Tampilan"
        choices={choicesOf(viewLabels)}
        value={filter.view}
        onChange={(view) => onChange({ view })}
      />
      <FilterSelect
        label="Bukti"
        choices={choicesOf(proofLabels)}
        value={filter.proof}
        onChange={(proof) => onChange({ proof })}
      />
      <FilterSelect
        label="Pencocokan"
        choices={verificationChoices(filter.verification)}
        value={filter.verification}
        onChange={(verification) => onChange({ verification })}
      />
      <FilterSelect
        label="Jenis Properti"
        choices={propertyTypeChoices}
        value={filter.property_type}
        onChange={(property_type) => onChange({ property_type })}
      />
      <FilterSelect
        label="Tahun"
        choices={yearChoices(filterYears(years, filter.year))}
        value={filter.year}
        onChange={(year) => onChange({ year })}
      />
      <SortSelect choices={choicesOf(sortLabels)} value={filter.sort} onChange={(sort) => onChange({ sort })} />
      {choicesOf(dateLabels).map(({ value: part, label }) => (
        <DateField
          key={part}
          label={label}
          example={null}
          value={filter[part] || null}
          onChange={(date) => onChange({ [part]: date ?? '' })}
        />
      ))}
    </>
  );
}
