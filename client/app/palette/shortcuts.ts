import { inboundKeys, recordListKeys } from '#client/features/tax-records/display/page-key-texts.ts';
import { inboxShortcutGroups } from '#client/features/chat/inbox/inbox-shortcuts.ts';
import { paths } from '#client/paths.ts';
import { MODIFIER_KEY } from './palette-state.ts';

export type Shortcut = { keys: readonly string[]; text: string };

/** `path`: the address of the screen. */
export type ShortcutGroup = { screen: string; path?: string; shortcuts: readonly Shortcut[] };

/** Every key of the admin area, by the screen on which it works. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    screen: 'Semua halaman admin',
    shortcuts: [
      { keys: [MODIFIER_KEY, 'K'], text: 'mencari halaman, pengguna, atau data PBB' },
      { keys: ['?'], text: 'menampilkan daftar ini' },
      { keys: ['Esc'], text: 'menutup dialog atau menu' },
    ],
  },
  {
    screen: 'Kelola Users, Data Pajak, Riwayat Perubahan',
    shortcuts: [{ keys: ['/'], text: 'ke kolom pencarian' }],
  },
  { screen: 'Data Pajak', path: paths.adminRecords, shortcuts: recordListKeys },
  { screen: 'Bukti masuk', path: paths.adminInbound, shortcuts: inboundKeys },
  ...inboxShortcutGroups.map(({ screen, shortcuts }) => ({ screen, path: paths.adminChat, shortcuts })),
];
