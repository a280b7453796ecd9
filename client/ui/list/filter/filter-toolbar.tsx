import { Button, Paper } from '@mantine/core';
import { IconChevronDown, IconFilter } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { SearchField } from '../../fields/search-field.tsx';
import classes from './filter-toolbar.module.css';

type Props = {
  /** The accessible name: 'Saring data'. */
  label: string;
  /** The parts of a row that the search looks at. */
  placeholder: string;
  search: string;
  onSearch: (search: string) => void;
  /** The number of parts that the folded fields have set. */
  activeCount: number;
  fields: ReactNode;
  /** The text of the button that leads from the fields to the results, on a phone: 'Tampilkan 12 data'. */
  showText: string | null;
  /** Further tools, at the end of the line. */
  children: ReactNode;
};

/** One line of tools: search, filters, and what the page adds. A change takes effect at once, on the server. */
export function FilterToolbar(props: Props) {
  const { label, placeholder, search, onSearch, activeCount, fields, showText, children } = props;
  const [opened, setOpened] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <section aria-label={label} className={`no-print ${classes['bar']}`}>
      <div className={classes['line']}>
        <div className={classes['search']}>
          <SearchField label="Cari" hideLabel placeholder={placeholder} value={search} onSearch={onSearch} />
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
        <Paper withBorder p="md" className={classes['fields'] ?? ''}>
          {fields}
          {showText === null ? null : (
            <Button
              className={classes['show'] ?? ''}
              onClick={() => {
                setOpened(false);
                // The pressed button is gone, and the results stand below this one.
                toggle.current?.focus();
              }}
            >
              {showText}
            </Button>
          )}
        </Paper>
      ) : null}
    </section>
  );
}
