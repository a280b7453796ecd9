import { Avatar, Group, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ColorSchemeToggle } from '#client/ui/page/color-scheme-toggle.tsx';
import { useSession } from '#client/lib/session.ts';
import classes from './admin-layout.module.css';
import { SearchButton, ShortcutsButton } from '../../palette/palette-buttons.tsx';
import { CurrentAdmin } from './current-admin.tsx';
import { paths } from '#client/paths.ts';
import { useShownPageTitle } from '#client/ui/page/use-page-title.ts';

/** The header of the admin area, with the name and e-mail of the admin (docs/requirements.md R-UI-6). */
export function AdminHeader({ menuButton }: { menuButton: ReactNode }) {
  const user = useSession()?.user;
  return (
    <Group h={60} px="md" gap="sm" justify="space-between" wrap="nowrap" className={classes['header'] ?? ''}>
      {/* With large text the name of the panel is cut, not the buttons. */}
      <Group gap="xs" wrap="nowrap" miw={0} flex={1} style={{ overflow: 'hidden' }}>
        {menuButton}
        <p className={classes['place']}>
          <span className={classes['placeName']}>Panel Admin</span> /{' '}
          <span className={classes['placeRest']}>Sistem Manajemen Pajak</span>
        </p>
        {/* Drawn by the style sheet: the heading of the page says the same to screen readers and to a search in the page. */}
        <span className={classes['pageTitle']} data-title={useShownPageTitle()} aria-hidden />
      </Group>
      <Group gap="xs" wrap="nowrap" flex="none">
        <SearchButton />
        <ShortcutsButton />
        <ColorSchemeToggle />
        <Link to={paths.adminAccount} className={classes['account']}>
          <VisuallyHidden>Akun saya: </VisuallyHidden>
          <Avatar color="laut" radius="xl" size={38} aria-hidden>
            {user?.name.trim().charAt(0).toUpperCase()}
          </Avatar>
          <div className={classes['currentUser']}>
            <CurrentAdmin />
          </div>
        </Link>
      </Group>
    </Group>
  );
}
