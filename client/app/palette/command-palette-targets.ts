import { useQuery } from '@tanstack/react-query';
import { api } from '#client/lib/api.ts';
import { formatRupiah } from '#client/lib/format.ts';
import { adminMenuItems } from '../admin-menu-items.ts';
import { paths } from '#client/paths.ts';

export type PaletteTarget = { key: string; to: string; title: string; text?: string };
export type PaletteTargetGroup = { name: string; targets: PaletteTarget[] };

const RESULTS_MAX = 5;
/** A search for one letter finds nearly all users. */
const SEARCH_MIN_LENGTH = 2;

const screens: PaletteTarget[] = [
  ...adminMenuItems.map(({ to, label }) => ({ key: to, to, title: label })),
  { key: paths.adminRecordCreate, to: paths.adminRecordCreate, title: 'Tambah Data Pajak' },
  { key: paths.adminUserCreate, to: paths.adminUserCreate, title: 'Tambah User' },
  { key: paths.adminAccount, to: paths.adminAccount, title: 'Akun Saya' },
  { key: paths.dashboard, to: paths.dashboard, title: 'Area pengguna' },
];

/** Whether the text contains every typed word, in any order. */
function matchesAllWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** The targets for a typed text. @param search the debounced text, which is sent to the server */
export function usePaletteTargets(typed: string, search: string) {
  const enabled = search.length >= SEARCH_MIN_LENGTH;
  const users = useQuery({
    queryKey: ['users', 'palette', search],
    queryFn: ({ signal }) => api.get('/admin/users', { query: { search, limit: RESULTS_MAX }, signal }),
    enabled,
  });
  const records = useQuery({
    queryKey: ['tax-records', 'palette', search],
    queryFn: ({ signal }) => api.get('/admin/tax-records', { query: { search, limit: RESULTS_MAX }, signal }),
    enabled,
  });

  const groups: PaletteTargetGroup[] = [
    { name: 'Halaman', targets: screens.filter(({ title }) => matchesAllWords(title, typed)) },
    {
      name: 'User',
      targets: (enabled ? (users.data?.data ?? []) : []).map(({ id, name, email }) => ({
        key: `user-${id}`,
        to: paths.adminUserEdit(id),
        title: name,
        text: email,
      })),
    },
    {
      name: 'Data pajak',
      targets: (enabled ? (records.data?.data ?? []) : []).map((record) => ({
        key: `record-${record.id}`,
        to: paths.adminRecord(record.id),
        title: `${record.name} · ${record.year}`,
        text: `${record.spt_number} · ${formatRupiah(record.amount)} · ${record.address}`,
      })),
    },
  ];
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    loading:
      (enabled && (users.isPending || records.isPending)) || (typed.length >= SEARCH_MIN_LENGTH && typed !== search),
    failed: users.isError || records.isError,
  };
}
