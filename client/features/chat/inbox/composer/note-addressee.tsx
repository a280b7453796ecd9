import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { userListQuery } from '#client/features/users/api.ts';
import { ADMIN_USERS_MAX } from '#shared/limits.ts';
import classes from './admin-composer.module.css';

type Props = { currentUserId: string; value: string; disabled: boolean; onChange: (adminId: string) => void };

/** Who of the colleagues gets a mark for the note; nobody by default. */
export function NoteAddressee({ currentUserId, value, disabled, onChange }: Props) {
  const { data } = useQuery(userListQuery({ search: '', role: 'admin', status: 'aktif' }, 1, ADMIN_USERS_MAX));
  const colleagues = data?.data.filter(({ id }) => id !== currentUserId) ?? [];
  if (colleagues.length === 0) return null;
  return (
    <NativeSelect
      size="sm"
      className={classes['addressee'] ?? ''}
      aria-label="Untuk siapa catatan ini"
      value={value}
      disabled={disabled}
      data={[
        { value: '', label: 'Untuk semua admin' },
        ...colleagues.map(({ id, name }) => ({ value: id, label: `Untuk ${name}` })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
