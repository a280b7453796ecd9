import { AppShell, Burger, Drawer, Group } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Outlet } from 'react-router-dom';
import { useDock } from '#client/ui/page/docked-panel.ts';
import { Brand } from '#client/ui/page/brand.tsx';
import { ColorSchemeToggle } from '#client/ui/page/color-scheme-toggle.tsx';
import { ChatMount } from '#client/features/chat/widget/chat-mount.tsx';
import { LiveOwnRecords } from './live-own-records.tsx';
import { ConnectionBanner, useHeaderHeight } from '../connection-banner.tsx';
import { SkipLink } from '../skip-link.tsx';
import { useRefreshCurrentUser } from '../use-refresh-current-user.ts';
import classes from './user-layout.module.css';
import { UserMenu } from './user-menu.tsx';

/** A narrower page has no space for both the menu and a panel beside it. */
const MENU_BESIDE_PANEL = '(min-width: 80em)';

/** Around every page of the user area: a side menu, or a drawer on small screens. */
export function UserLayout() {
  const [menuOpen, { open, close }] = useDisclosure(false);
  const dock = useDock();
  const hasSpaceForMenu = useMediaQuery(MENU_BESIDE_PANEL, true, { getInitialValueInEffect: false });
  const isMenuInDrawer = dock === 'side' && !hasSpaceForMenu;
  useRefreshCurrentUser();
  return (
    <AppShell
      header={{ height: useHeaderHeight() }}
      navbar={{ width: 264, breakpoint: 'md', collapsed: { mobile: true, desktop: isMenuInDrawer } }}
      padding={{ base: 'md', sm: 'lg', lg: 'xl' }}
      classNames={{ main: classes['main'] ?? '' }}
    >
      <SkipLink />
      <AppShell.Header className="no-print">
        <ConnectionBanner />
        <Group h={60} px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={menuOpen}
              onClick={open}
              {...(isMenuInDrawer ? {} : { hiddenFrom: 'md' })}
              size="sm"
              className={classes['burger'] ?? ''}
              aria-label="Buka menu"
              aria-haspopup="dialog"
            />
            <Brand />
          </Group>
          <ColorSchemeToggle />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="no-print" visibleFrom="md">
        <UserMenu />
      </AppShell.Navbar>
      <Drawer
        opened={menuOpen}
        onClose={close}
        size={300}
        title={<Brand />}
        closeButtonProps={{ 'aria-label': 'Tutup menu' }}
        classNames={{ body: classes['drawerBody'] ?? '', content: classes['drawerContent'] ?? '' }}
      >
        <UserMenu onNavigate={close} />
      </Drawer>
      <AppShell.Main id="konten" tabIndex={-1} data-dock={dock ?? undefined}>
        <div className={classes['page']}>
          <Outlet />
        </div>
        <LiveOwnRecords />
        <ChatMount />
      </AppShell.Main>
    </AppShell>
  );
}
