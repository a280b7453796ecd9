import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { useSession } from '#client/lib/session/session.ts';
import { useDock } from '#client/ui/screen/docked-panel.ts';
import { Brand } from '#client/ui/page/brand.tsx';
import { ColorSchemeToggle } from '#client/ui/page/color-scheme-toggle.tsx';
import { ChatMount } from '#client/features/chat/widget/chat-mount.tsx';
import { OwnNoticesMount } from '#client/features/account/own-notices/own-notices-mount.tsx';
import { InstallMount } from '#client/features/install/hint/install-mount.tsx';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { loadMenuDrawer, loadUserMenu } from './load-menu.ts';
import { bindLinkPrefetch, prefetchMenuData } from './prefetch-page-data.ts';
import { LiveOwnRecords } from './live-own-records.tsx';
import { ConnectionBanner, useHeaderHeight } from '../connection-banner.tsx';
import { SkipLink } from '../skip-link.tsx';
import { useLiveIdentity } from '#client/features/office/identity/use-loaded-identity.ts';
import { useRefreshCurrentUser } from '../use-refresh-current-user.ts';
import classes from './user-layout.module.css';

/** A narrower page has no space for both the menu and a panel beside it. */
const MENU_BESIDE_PANEL = '(min-width: 80em)';

/** As wide as the breakpoint 'md', from which the navbar is visible; also in boot.js. */
const WITH_SIDE_MENU = '(min-width: 62em)';

/** Around every page of the user area: a side menu, or a drawer on small screens. */
export function UserLayout() {
  const [menuOpen, { open, close }] = useDisclosure(false);
  const dock = useDock();
  const hasSpaceForMenu = useMediaQuery(MENU_BESIDE_PANEL, true, { getInitialValueInEffect: false });
  const isMenuInDrawer = dock === 'side' && !hasSpaceForMenu;
  // On phones the first page comes without the code of the menu.
  const hasSideMenu = useMediaQuery(WITH_SIDE_MENU, true, { getInitialValueInEffect: false });
  const { Component: SideMenu } = useLazyComponent(loadUserMenu, { wanted: hasSideMenu, delayMs: 0 });
  const [menuWanted, { open: wantMenu }] = useDisclosure(false);
  const { Component: MenuDrawer } = useLazyOverlay(loadMenuDrawer, {
    wanted: menuOpen,
    early: menuWanted,
    failure: 'Menu gagal dimuat',
    onCancel: close,
  });
  const hasChat = useSession()?.user?.is_admin === false;
  useRefreshCurrentUser();
  useLiveIdentity();
  const queryClient = useQueryClient();
  useEffect(() => bindLinkPrefetch(queryClient), [queryClient]);

  function openMenu() {
    open();
    prefetchMenuData(queryClient);
  }

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
        <Group
          h={60}
          gap={8}
          justify="space-between"
          wrap="nowrap"
          className={classes['header'] ?? ''}
          data-has-chat={hasChat || undefined}
        >
          <Group gap={10} wrap="nowrap">
            <Burger
              opened={menuOpen}
              onPointerDown={wantMenu}
              onFocus={wantMenu}
              onClick={openMenu}
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
        {SideMenu ? <SideMenu /> : null}
      </AppShell.Navbar>
      {MenuDrawer ? <MenuDrawer opened={menuOpen} onClose={close} /> : null}
      <AppShell.Main id="konten" tabIndex={-1} data-dock={dock ?? undefined}>
        <div className={classes['page']}>
          <OwnNoticesMount shownMax={3} />
          <Outlet />
        </div>
        <LiveOwnRecords />
        <ChatMount />
        <InstallMount />
      </AppShell.Main>
    </AppShell>
  );
}
