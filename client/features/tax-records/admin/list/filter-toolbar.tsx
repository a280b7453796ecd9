import { Button, Paper } from '@mantine/core';
import { IconChevronDown, IconFilter } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { AdminRecordFilter } from '../../api.ts';
import { FilterFields } from './filter-fields.tsx';
import classes from './filter-toolbar.module.css';

type Props = {
  filter: AdminRecordFilter;
  /** How many records the filter finds; undefined while that is loaded. */
  total: number | undefined;
  isPhone: boolean;
  onChange: (part: Partial<AdminRecordFilter>, options?: { replace?: boolean }) => void;
  /** Further tools, at the end of the line. */
  children: ReactNode;
};

/** One line of tools: search, filters, and what the page adds. A change takes effect at once, on the server. */
export function RecordFilterToolbar({ filter, total, isPhone, onChange, children }: Props) {
  const [opened, setOpened] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const { search: _search, sort: _sort, ...parts } = filter;
  const activeCount = Object.values(parts).filter((value) => value !== '').length;
  return (
    <section aria-label="Saring data" className={`no-print ${classes['bar']}`}>
      <div className={classes['line']}>
        <div className={classes['search']}>
          <SearchField
            label="Cari"
            hideLabel
            placeholder="Nama, alamat, nomor SPT, pemilik"
            value={filter.search}
            onSearch={(search) => onChange({ search }, { replace: filter.search !== '' })}
          />
        </div>
        <Button
          ref={toggle}
          variant="default"
          px="md"
          leftSection={<IconFilter size={18} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden className={classes['chevron'] ?? ''} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          Filter{activeCount > 0 ? ` (${formatNumber(activeCount)})` : ''}
        </Button>
        {children}
      </div>
      {opened ? (
        <Paper withBorder p="md">
          <FilterFields filter={filter} onChange={onChange}>
            {isPhone && total !== undefined ? (
              <Button
                className={classes['show'] ?? ''}
                onClick={() => {
                  setOpened(false);
                  // The pressed button is gone, and the results stand below this one.
                  toggle.current?.focus();
                }}
              >
                Tampilkan {formatNumber(total)} data
              </Button>
            ) : null}
          </FilterFields>
        </Paper>
      ) : null}
    </section>
  );
}
