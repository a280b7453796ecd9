import { AppShell, Box, Burger, Drawer, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useMatches } from 'react-router-dom';
import { Brand } from '#client/ui/page/brand.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { isPlainObject } from '#client/lib/is-plain-object.ts';
import { AdminHeader } from './admin-header.tsx';
import classes from './admin-layout.module.css';
import { AdminMenu } from './admin-menu.tsx';
import { CurrentAdmin } from './current-admin.tsx';
import { BackupWarning } from './backup-warning.tsx';
import { AdminNotices } from './admin-notices.tsx';
import { NoticePlace } from './notice-place.tsx';
import { CommandPalette } from '../../palette/command-palette.tsx';
import { paths } from '#client/paths.ts';
import { ConnectionBanner, useHeaderHeight } from '../connection-banner.tsx';
import { SkipLink } from '../skip-link.tsx';
import { useAdminChat } from './use-admin-chat.ts';
import { useLiveIdentity } from '#client/features/office/identity/use-loaded-identity.ts';
import { useRefreshCurrentUser } from '../use-refresh-current-user.ts';
import { useHasOwnHeader } from './use-has-own-header.ts';
import { useReloadOnRecordChange } from '#client/realtime/use-reload-on-record-change.ts';

function PanelName() {
  return (
    <Box>
      <Brand />
      <Text fz="sm" c="dimmed" fw={500} className={classes['panel'] ?? ''}>
        Admin Panel
      </Text>
    </Box>
  );
}

/** Around every page of the admin area: a side menu, or a drawer on small screens. */
export function AdminLayout() {
  const [menuOpen, { open, close }] = useDisclosure(false);
  const isFullBleed = useMatches().some(({ handle }) => isPlainObject(handle) && handle['fullBleed'] === true);
  const hasOwnHeader = useHasOwnHeader();
  const unreadCount = useAdminChat();
  useRefreshCurrentUser();
  useLiveIdentity();
  useReloadOnRecordChange();
  return (
    <AppShell
      layout="alt"
      header={{ height: useHeaderHeight(), collapsed: hasOwnHeader }}
      navbar={{ width: 256, breakpoint: 'md', collapsed: { mobile: true } }}
      padding={isFullBleed ? 0 : { base: 'md', sm: 'lg', lg: 'xl' }}
      classNames={{ main: classes['main'] ?? '' }}
    >
      <SkipLink />
      <CommandPalette />
      {hasOwnHeader ? null : (
        <AppShell.Header className="no-print">
          <ConnectionBanner />
          <AdminHeader
            menuButton={
              <Burger
                opened={menuOpen}
                onClick={open}
                hiddenFrom="md"
                size="sm"
                className={classes['burger'] ?? ''}
                aria-label="Buka menu"
                aria-haspopup="dialog"
                // The closed menu hides the number.
                data-unread={unreadCount > 0 || undefined}
                aria-description={unreadCount > 0 ? `${formatNumber(unreadCount)} pesan belum dibaca` : undefined}
              />
            }
          />
        </AppShell.Header>
      )}
      <AppShell.Navbar className="no-print" visibleFrom="md">
        <div className={classes['top']}>
          <PanelName />
        </div>
        <AdminMenu unreadCount={unreadCount} />
      </AppShell.Navbar>
      <Drawer
        opened={menuOpen}
        onClose={close}
        size={300}
        title={<PanelName />}
        closeButtonProps={{ 'aria-label': 'Tutup menu' }}
        classNames={{ body: classes['drawerBody'] ?? '', content: classes['drawerContent'] ?? '' }}
      >
        <Link to={paths.adminAccount} className={classes['drawerCurrentUser']} onClick={close}>
          <VisuallyHidden>Akun saya: </VisuallyHidden>
          <CurrentAdmin />
        </Link>
        <AdminMenu unreadCount={unreadCount} onNavigate={close} />
      </Drawer>
      <AppShell.Main id="konten" tabIndex={-1}>
        <NoticePlace isFullBleed={isFullBleed}>
          <AdminNotices isFullBleed={isFullBleed} />
          <BackupWarning isFullBleed={isFullBleed} />
        </NoticePlace>
        {isFullBleed ? (
          <Outlet />
        ) : (
          <div className={classes['page']}>
            <Outlet />
          </div>
        )}
      </AppShell.Main>
    </AppShell>
  );
}
