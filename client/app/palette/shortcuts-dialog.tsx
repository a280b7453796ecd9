import { Kbd, Modal, Title } from '@mantine/core';
import { useLocation } from 'react-router-dom';
import classes from './shortcuts-dialog.module.css';
import { inboundKeys, recordListKeys } from '#client/features/tax-records/display/page-key-texts.ts';
import { inboxShortcutGroups } from '#client/features/chat/inbox/inbox-shortcuts.ts';
import { claimKeys, matchKeys, objectListKeys } from '#client/features/dhkp/display/list-keys.ts';
import { paths } from '#client/paths.ts';
import { MODIFIER_KEY } from './palette-state.ts';

/** All keys, by the screen on which they work; those of the page that is open stand first. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation();
  const isHere = ({ path }: ShortcutGroup): boolean => path !== undefined && pathname.startsWith(path);
  const groups = [...shortcutGroups.filter(isHere), ...shortcutGroups.filter((group) => !isHere(group))];
  return (
    <Modal opened onClose={onClose} title="Pintasan keyboard" size="lg">
      {groups.map(({ screen, shortcuts }) => (
        <section key={screen} className={classes['group']}>
          <Title order={3} fz="md">
            {screen}
          </Title>
          <dl className={classes['list']}>
            {shortcuts.map(({ keys, text }) => (
              <div key={text} className={classes['line']}>
                <dt className={classes['keys']}>
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}

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
    screen: 'Kelola Users, Data Pajak, Daftar objek (DHKP), Riwayat Perubahan',
    shortcuts: [{ keys: ['/'], text: 'ke kolom pencarian' }],
  },
  { screen: 'Data Pajak', path: paths.adminRecords, shortcuts: recordListKeys },
  { screen: 'Bukti masuk', path: paths.adminInbound, shortcuts: inboundKeys },
  { screen: 'Hubungkan objek', path: paths.adminDhkpMatches(), shortcuts: matchKeys },
  { screen: 'Permintaan warga', path: paths.adminClaims(), shortcuts: claimKeys },
  { screen: 'Daftar objek (DHKP)', path: paths.adminDhkp, shortcuts: objectListKeys },
  ...inboxShortcutGroups.map(({ screen, shortcuts }) => ({ screen, path: paths.adminChat, shortcuts })),
];
