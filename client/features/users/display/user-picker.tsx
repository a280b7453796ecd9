import { Loader, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#client/lib/api/api.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { emailText } from '#shared/domain/users/email-text.ts';

const RESULTS_MAX = 20;
const DEBOUNCE_MS = 250;

export type PickedUser = Pick<UserAnswer, 'id' | 'name' | 'email'>;

type Props = {
  label: string;
  description?: ReactNode;
  placeholder?: string;
  /** The id of the picked user; '' for none. */
  value: string;
  onChange: (user: PickedUser | null) => void;
  error?: ReactNode;
  required?: boolean;
  clearable?: boolean;
};

const userLabel = ({ name, email }: PickedUser) => emailText(`${name} (${email})`);

/** Picks one of thousands of users. The server searches names and e-mail addresses during typing. */
export function UserPicker({ value, onChange, clearable = false, required = false, ...field }: Props) {
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<PickedUser | null>(null);
  const [search] = useDebouncedValue(text, DEBOUNCE_MS);

  // An address contains only the id of the user.
  const userById = useQuery({
    queryKey: ['users', 'user', value],
    queryFn: ({ signal }) => api.get('/admin/users/{id}', { params: { id: value }, signal }),
    enabled: value !== '' && picked?.id !== value,
  });
  const chosen = picked?.id === value ? picked : (userById.data ?? null);
  // The name of the picked user is in the field, too, but is no search.
  const term = chosen && search === userLabel(chosen) ? '' : search.trim();
  const searchResult = useQuery({
    queryKey: ['users', 'picker', term],
    queryFn: ({ signal }) => api.get('/admin/users', { query: { search: term, limit: RESULTS_MAX }, signal }),
    placeholderData: keepPreviousData,
  });

  const foundUsers: PickedUser[] = searchResult.data?.data ?? [];
  const selectableUsers =
    chosen && !foundUsers.some(({ id }) => id === chosen.id) ? [chosen, ...foundUsers] : foundUsers;
  const byId = new Map(selectableUsers.map((user) => [user.id, user]));

  function pick(id: string | null) {
    const user = id === null ? null : (byId.get(id) ?? null);
    setPicked(user);
    onChange(user);
  }

  return (
    <Select
      {...field}
      searchable
      clearable={clearable}
      clearButtonProps={{ 'aria-label': 'Kosongkan pilihan pengguna' }}
      required={required}
      data={selectableUsers.map((user) => ({ value: user.id, label: userLabel(user) }))}
      // The server has filtered already.
      filter={({ options }) => options}
      value={chosen ? chosen.id : null}
      onChange={pick}
      searchValue={text}
      onSearchChange={setText}
      maxDropdownHeight={320}
      nothingFoundMessage={nothingFoundText(searchResult.isError, searchResult.isPending)}
      rightSection={searchResult.isFetching && term !== '' ? <Loader size={16} aria-hidden /> : undefined}
      renderOption={({ option }) => {
        const user = byId.get(option.value);
        return (
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text fw={500}>{user?.name ?? option.label}</Text>
            <Text fz="sm" c="dimmed">
              {user ? emailText(user.email) : null}
            </Text>
          </div>
        );
      }}
      autoComplete="off"
    />
  );
}

function nothingFoundText(failed: boolean, pending: boolean): string {
  if (failed) return 'Gagal memuat users';
  return pending ? 'Mencari…' : 'User tidak ditemukan';
}
