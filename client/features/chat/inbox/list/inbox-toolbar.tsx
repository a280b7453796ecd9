import { CloseButton, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { KeyboardEvent, Ref } from 'react';
import { SEARCH_MAX } from '#shared/limits.ts';
import type { ListFilter } from '../../session/list-order.ts';
import classes from './list.module.css';

const filterChoices: { value: ListFilter['only']; label: string }[] = [
  { value: 'all', label: 'Semua' },
  { value: 'unread', label: 'Belum dibaca' },
  { value: 'waiting', label: 'Belum dibalas' },
];

type Props = {
  filter: ListFilter;
  onSearch: (search: string) => void;
  onFilterChange: (only: ListFilter['only']) => void;
  /** Moves the focus from the search field into the list. */
  onArrowDown: () => void;
  searchRef: Ref<HTMLInputElement>;
};

/** Search and filters above the list of conversations. */
export function InboxToolbar({ filter, onSearch, onFilterChange, onArrowDown, searchRef }: Props) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onArrowDown();
    } else if (event.key === 'Escape' && filter.search !== '') {
      // The first Escape clears the field; only a second one leaves the conversation.
      event.stopPropagation();
      onSearch('');
    }
  }
  return (
    <div className={classes['toolbar']}>
      <TextInput
        ref={searchRef}
        type="search"
        aria-label="Cari nama atau email"
        placeholder="Cari nama atau email"
        value={filter.search}
        maxLength={SEARCH_MAX}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          filter.search === '' ? null : <CloseButton aria-label="Hapus pencarian" onClick={() => onSearch('')} />
        }
        rightSectionPointerEvents="all"
      />
      <SegmentedControl
        fullWidth
        aria-label="Saring percakapan"
        data={filterChoices}
        value={filter.only}
        onChange={(value) => onFilterChange(filterChoices.find((choice) => choice.value === value)?.value ?? 'all')}
        classNames={{ label: classes['choice'] ?? '' }}
      />
    </div>
  );
}
