import { NativeSelect } from '@mantine/core';
import { SearchField } from '#client/ui/form/search-field.tsx';
import type { UserFilter } from '../api.ts';
import { toRoleFilter, toStatusFilter } from './use-user-list-params.ts';
import classes from './user-list.module.css';

const roles = [
  { value: '', label: 'Semua' },
  { value: 'admin', label: 'Admin' },
  { value: 'user', label: 'User' },
];
const statuses = [
  { value: '', label: 'Semua' },
  { value: 'aktif', label: 'Aktif' },
  { value: 'nonaktif', label: 'Nonaktif' },
];

type Props = {
  filter: UserFilter;
  onChange: (change: Partial<UserFilter>, options?: { replace?: boolean }) => void;
};

/** Search and filters of the list, applied at once. */
export function UserToolbar({ filter, onChange }: Props) {
  return (
    <section className={`no-print ${classes['fields']}`} aria-label="Saring pengguna">
      <SearchField
        label="Cari"
        placeholder="Nama atau email"
        value={filter.search}
        // Replaces the address, so that going back skips the letters of the search.
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <NativeSelect
        label="Peran"
        data={roles}
        value={filter.role}
        onChange={(event) => onChange({ role: toRoleFilter(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Status"
        data={statuses}
        value={filter.status}
        onChange={(event) => onChange({ status: toStatusFilter(event.currentTarget.value) })}
      />
    </section>
  );
}
