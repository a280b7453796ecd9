import { Divider, NavLink, ScrollArea, Stack } from '@mantine/core';
import { IconHome } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router-dom';
import { UnreadBadge } from '#client/features/chat/thread/unread-badge.tsx';
import { adminMenuItems } from '../../admin-menu-items.ts';
import { paths } from '#client/paths.ts';
import { SignOutButton } from '../sign-out-button.tsx';

type Props = {
  /** Unread messages of all conversations. */
  unreadCount: number;
  onNavigate?: (() => void) | undefined;
};

/** The pages below a screen mark the same item. */
function isCurrent(to: string, pathname: string): boolean {
  return pathname === to || pathname.startsWith(`${to}/`);
}

/** The menu of the admin area, in the side bar and in the drawer. */
export function AdminMenu({ unreadCount, onNavigate }: Props) {
  const { pathname } = useLocation();
  const linkProps = onNavigate ? { onClick: onNavigate } : {};
  return (
    <Stack h="100%" gap="md" p="md" mih={0}>
      <ScrollArea flex={1} type="auto">
        <Stack component="nav" gap={4} aria-label="Menu utama">
          {adminMenuItems.map(({ to, label, Icon, showsUnreadCount }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              leftSection={<Icon size={20} aria-hidden />}
              rightSection={showsUnreadCount ? <UnreadBadge count={unreadCount} size="lg" /> : undefined}
              active={isCurrent(to, pathname)}
              aria-current={isCurrent(to, pathname) ? 'page' : undefined}
              {...linkProps}
            />
          ))}
        </Stack>
      </ScrollArea>
      <Divider />
      <NavLink
        component={Link}
        to={paths.dashboard}
        label="Area pengguna"
        leftSection={<IconHome size={20} aria-hidden />}
        {...linkProps}
      />
      <SignOutButton />
    </Stack>
  );
}
