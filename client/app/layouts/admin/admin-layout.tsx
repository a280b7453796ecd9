import { AppShell, Box, Burger, Drawer, Text, VisuallyHidden, Avatar, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useMatches, useLocation, useNavigate } from 'react-router-dom';
import { Brand } from '#client/ui/page/brand.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { useHasOwnHeader } from './use-has-own-header.ts';
import classes from './admin-layout.module.css';
import { AdminMenu } from './admin-menu.tsx';
import { BackupWarning } from './backup-warning.tsx';
import { AdminNotices } from './admin-notices.tsx';
import { NoticePlace } from './notice-place.tsx';
import { CommandPalette } from '../../palette/command-palette.tsx';
import { paths, ANSWER_HASH } from '#client/paths.ts';
import { ConnectionBanner, useHeaderHeight } from '../connection-banner.tsx';
import { SkipLink } from '../skip-link.tsx';
import { OwnNoticesMount } from '#client/features/account/own-notices/own-notices-mount.tsx';
import { useLiveIdentity } from '#client/features/office/identity/use-loaded-identity.ts';
import { useRefreshCurrentUser } from '../use-refresh-current-user.ts';
import { useReloadOnRecordChange } from '#client/realtime/use-reload-on-record-change.ts';
import { useAtomValue } from 'jotai';
import { useEffect, type ReactNode } from 'react';
import { totalUnreadAtom } from '#client/features/chat/state/selectors.ts';
import '#client/features/chat/session/admin-part.ts';
import { useChatSession } from '#client/features/chat/session/use-chat.ts';
import { useRegisteredUserCount } from '#client/features/chat/session/use-registered-user-count.ts';
import { ColorSchemeToggle } from '#client/ui/page/color-scheme-toggle.tsx';
import { useSession } from '#client/lib/session/session.ts';
import { SearchButton, ShortcutsButton } from '../../palette/palette-buttons.tsx';
import { useShownPageTitle } from '#client/ui/page/use-page-title.ts';

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
          {hasOwnHeader ? null : <OwnNoticesMount shownMax={isFullBleed ? 1 : 3} />}
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

/** Keeps the chat connected on every page of the admin area. @returns the number of unread messages */
function useAdminChat(): number {
  const chatSession = useChatSession();
  const navigate = useNavigate();
  useRegisteredUserCount();
  // A click on a notification opens its conversation. The inbox does that itself, beside what is open there.
  const isInbox = useLocation().pathname === paths.adminChat;
  useEffect(() => {
    if (isInbox) return undefined;
    return chatSession?.onOpenRequest(
      (userId, { write }) => void navigate(paths.adminConversation(userId) + (write ? ANSWER_HASH : '')),
    );
  }, [chatSession, navigate, isInbox]);
  return useAtomValue(totalUnreadAtom);
}

/** The header of the admin area, with the name and e-mail of the admin (docs/requirements.md R-UI-6). */
function AdminHeader({ menuButton }: { menuButton: ReactNode }) {
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

/** The name and e-mail of the signed-in admin. */
function CurrentAdmin() {
  const user = useSession()?.user;
  return (
    <>
      <Text fw={600} fz="sm" lh={1.3} truncate="end">
        {user?.name}
      </Text>
      <Text fz="xs" c="dimmed" lh={1.3} truncate="end">
        {user?.email}
      </Text>
    </>
  );
}
