import { ActionIcon, CloseButton, Group, Text, TextInput } from '@mantine/core';
import { IconListCheck, IconMessageSearch, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useId } from 'react';
import type { ConversationCounts } from '#shared/api/chat/chat.ts';
import { SEARCH_MAX } from '#shared/limits.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { ListFilter } from '../../state/model/list-order.ts';
import classes from './list.module.css';

type OnlyFilter = ListFilter['only'];

const choices: { value: OnlyFilter; label: string }[] = [
  { value: 'all', label: 'Semua' },
  { value: 'waiting', label: 'Belum dibalas' },
  { value: 'unread', label: 'Belum dibaca' },
  { value: 'snoozed', label: 'Ditunda' },
  { value: 'mine', label: 'Saya' },
];

type FilterChipsProps = {
  value: OnlyFilter;
  /** Null until the server has counted. */
  counts: ConversationCounts | null;
  onChange: (only: OnlyFilter) => void;
};

/** The filters of the inbox list, each with the number of its conversations. */
function FilterChips({ value, counts, onChange }: FilterChipsProps) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label="Saring percakapan" className={classes['chips']}>
      {choices.map((choice) => {
        const count = choice.value === 'all' ? 0 : (counts?.[choice.value] ?? 0);
        return (
          <label key={choice.value} className={classes['chip']} data-checked={choice.value === value || undefined}>
            <input
              type="radio"
              name={name}
              className={classes['radio']}
              // Brackets around the numbers would not leave all five filters room in one line.
              aria-label={count > 0 ? `${choice.label} (${formatNumber(count)})` : undefined}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
            {count > 0 ? (
              <Text span inherit ms="0.25rem" fw={600}>
                {formatNumber(count)}
              </Text>
            ) : null}
          </label>
        );
      })}
    </div>
  );
}

type Props = {
  filter: ListFilter;
  counts: ConversationCounts | null;
  /** Whether rows are being selected. */
  selecting: boolean;
  onSearch: (search: string) => void;
  onFilterChange: (only: ListFilter['only']) => void;
  onSelectingChange: (selecting: boolean) => void;
  /** Opens the search over all messages. */
  onSearchMessages: () => void;
  /** Moves the focus from the search field into the list. */
  onArrowDown: () => void;
  searchRef: Ref<HTMLInputElement>;
};

/** Search and filters above the list of conversations. */
export function InboxToolbar(props: Props) {
  const { filter, counts, selecting, onSearch, onFilterChange, onSelectingChange, onSearchMessages } = props;
  const { onArrowDown, searchRef } = props;
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
      <Group gap="0.25rem" wrap="nowrap">
        <TextInput
          ref={searchRef}
          flex={1}
          miw={0}
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
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Cari pesan"
          title="Cari pesan (Ctrl+Shift+F)"
          onClick={onSearchMessages}
        >
          <IconMessageSearch size={22} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant={selecting ? 'light' : 'subtle'}
          color={selecting ? 'laut' : 'gray'}
          aria-label="Pilih"
          aria-pressed={selecting}
          title="Pilih beberapa percakapan"
          onClick={() => onSelectingChange(!selecting)}
        >
          <IconListCheck size={22} aria-hidden />
        </ActionIcon>
      </Group>
      <FilterChips value={filter.only} counts={counts} onChange={onFilterChange} />
    </div>
  );
}
