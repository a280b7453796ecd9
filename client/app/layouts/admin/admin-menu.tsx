import { Divider, NavLink, ScrollArea, Stack, VisuallyHidden } from '@mantine/core';
import { IconBook, IconHome } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router-dom';
import { inboundSumsQuery } from '#client/features/tax-records/admin/inbound/inbound-api.ts';
import { formatNumber } from '#client/lib/format.ts';
import { UnreadBadge } from '#client/features/chat/thread/unread-badge.tsx';
import { NEW_TAB } from '#client/ui/page/handbook-link.tsx';
import { HANDBOOK_PATH } from '#shared/handbook.ts';
import { adminMenuItems } from '../../admin-menu-items.ts';
import { paths } from '#client/paths.ts';
import { SignOutButton } from '../sign-out-button.tsx';

type Props = {
  /** Unread messages of all conversations. */
  unreadCount: number;
  onNavigate?: (() => void) | undefined;
};

/** The item of a page: the pages below a screen mark the same one, unless they have their own. */
function currentItem(pathname: string): string | undefined {
  return adminMenuItems
    .map(({ to }) => to)
    .filter((to) => pathname === to || pathname.startsWith(`${to}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** The menu of the admin area, in the side bar and in the drawer. */
export function AdminMenu({ unreadCount, onNavigate }: Props) {
  const { pathname } = useLocation();
  const current = currentItem(pathname);
  const { data: inboundSums } = useQuery(inboundSumsQuery);
  const inboundCount = inboundSums?.pending.count;
  const linkProps = onNavigate ? { onClick: onNavigate } : {};
  return (
    <Stack h="100%" gap="md" p="md" mih={0}>
      <ScrollArea flex={1} type="auto">
        <Stack component="nav" gap={4} aria-label="Menu utama">
          {adminMenuItems.map(({ to, label, Icon, showsUnreadCount, showsInboundCount }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={showsInboundCount && inboundCount ? `${label} (${formatNumber(inboundCount)})` : label}
              {...(showsInboundCount ? { pl: 'xl' } : {})}
              leftSection={<Icon size={20} aria-hidden />}
              rightSection={showsUnreadCount ? <UnreadBadge count={unreadCount} size="lg" /> : undefined}
              active={to === current}
              aria-current={to === current ? 'page' : undefined}
              {...linkProps}
            />
          ))}
        </Stack>
      </ScrollArea>
      <Divider />
      <NavLink
        href={HANDBOOK_PATH}
        target="_blank"
        label={
          <>
            Panduan <VisuallyHidden>{NEW_TAB}</VisuallyHidden>
          </>
        }
        leftSection={<IconBook size={20} aria-hidden />}
        {...linkProps}
      />
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
