import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { AreaSelect } from '#client/features/areas/display/area-select.tsx';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { choicesOf, FilterSelect, SortSelect } from '#client/ui/list/filter/filter-fields.tsx';
import { FilterToolbar } from '#client/ui/list/filter/filter-toolbar.tsx';
import type { FilterChange } from '#client/ui/list/filter/url-filter.ts';
import { conditionLabels } from '#shared/domain/dhkp/list-states.ts';
import type { AssessmentFilter } from '../api.ts';
import { listedLabels } from '../display/assessment-texts.ts';
import { bookLabels, handedOutLabels, linkedLabels, paidLabels, sortLabels } from './list-filter.ts';

const BLOCK_LENGTH = 3;

type Props = {
  filter: AssessmentFilter;
  onChange: FilterChange<AssessmentFilter>;
  /** The number of parts of the filter that hide objects. */
  activeCount: number;
  /** The number of found objects; undefined while they are loaded. */
  total: number | undefined;
  isPhone: boolean;
  children: ReactNode;
};

/** Search and filters of the office's list. */
export function ListToolbar({ filter, onChange, activeCount, total, isPhone, children }: Props) {
  return (
    <FilterToolbar
      label="Saring objek"
      placeholder="NOP, nama, alamat"
      search={filter.search}
      onSearch={(search) => onChange({ search }, { replace: filter.search !== '' })}
      activeCount={activeCount}
      fields={<FilterFields filter={filter} onChange={onChange} />}
      showText={isPhone && total !== undefined ? `Tampilkan ${formatNumber(total)} objek` : null}
    >
      {children}
    </FilterToolbar>
  );
}

type YearProps = {
  /** The year that is shown; null without any list. */
  year: number | null;
  years: readonly number[];
  onChange: (year: string) => void;
};

/** The tax year of the list. A year without a list stays chosen, so that the screen says what is missing. */
export function YearSelect({ year, years, onChange }: YearProps) {
  if (year === null) return null;
  const all = years.includes(year) ? years : [year, ...years].toSorted((a, b) => b - a);
  return (
    <NativeSelect
      aria-label="Tahun pajak"
      data={all.map(String)}
      value={String(year)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function FilterFields({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  return (
    <>
      <AreaSelect
        label="Wilayah"
        placeholder="Semua"
        value={filter.area_id}
        onChange={(area_id) => onChange({ area_id })}
      />
      <TextInput
        label="Blok"
        placeholder="001"
        inputMode="numeric"
        maxLength={BLOCK_LENGTH}
        defaultValue={filter.block}
        key={`blok-${filter.block}`}
        onBlur={(event) => changeBlock(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') changeBlock(event.currentTarget.value);
        }}
      />
      <FilterSelect
        label="Buku"
        choices={choicesOf<'1' | '2' | '3' | '4' | '5'>(bookLabels)}
        value={filter.book}
        onChange={(book) => onChange({ book })}
      />
      <UserPicker
        label="Kolektor"
        placeholder="Semua"
        clearable
        value={filter.collector_id}
        onChange={(user) => onChange({ collector_id: user?.id ?? '' })}
      />
      <FilterSelect
        label="Akun"
        choices={choicesOf<'1' | '0'>(linkedLabels)}
        value={filter.linked}
        onChange={(linked) => onChange({ linked })}
      />
      <FilterSelect
        label="SPPT"
        choices={choicesOf<'1' | '0'>(handedOutLabels)}
        value={filter.handed_out}
        onChange={(handed_out) => onChange({ handed_out })}
      />
      <FilterSelect
        label="Keadaan"
        choices={choicesOf(conditionLabels)}
        value={filter.condition}
        onChange={(condition) => onChange({ condition })}
      />
      <FilterSelect
        label="Di daftar"
        choices={choicesOf<'1' | '0'>(listedLabels)}
        value={filter.listed}
        onChange={(listed) => onChange({ listed })}
      />
      <FilterSelect
        label="Pembayaran"
        choices={choicesOf(paidLabels)}
        value={filter.paid}
        onChange={(paid) => onChange({ paid })}
      />
      <SortSelect choices={choicesOf(sortLabels)} value={filter.sort} onChange={(sort) => onChange({ sort })} />
    </>
  );

  function changeBlock(typed: string): void {
    const digits = typed.replaceAll(/\D/g, '');
    const block = digits === '' ? '' : digits.padStart(BLOCK_LENGTH, '0');
    if (block !== filter.block) onChange({ block });
  }
}
