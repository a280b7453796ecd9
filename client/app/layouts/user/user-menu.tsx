import { Avatar, Box, Divider, NavLink, ScrollArea, Stack, Text, VisuallyHidden } from '@mantine/core';
import {
  IconShieldLock,
  IconFileDescription,
  IconFilePlus,
  IconLayoutDashboard,
  IconReportAnalytics,
} from '@tabler/icons-react';
import { Link, useLocation } from 'react-router-dom';
import { useSession } from '#client/lib/session/session.ts';
import { paths } from '#client/paths.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import classes from './user-layout.module.css';
import { SignOutButton } from '../sign-out-button.tsx';

/** The pages of a record mark the list, except the page with a menu item of its own. */
function isCurrent(to: string, pathname: string): boolean {
  if (pathname === to) return true;
  return to === paths.records && pathname.startsWith(`${paths.records}/`) && pathname !== paths.recordCreate;
}

function CurrentUserLink({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const user = useSession()?.user;
  const isCurrentPage = useLocation().pathname === paths.account;
  return (
    <Link
      to={paths.account}
      className={classes['currentUser']}
      aria-current={isCurrentPage ? 'page' : undefined}
      {...(onNavigate ? { onClick: onNavigate } : {})}
    >
      <VisuallyHidden>Akun saya: </VisuallyHidden>
      <Avatar color="laut" radius="xl" size={40} aria-hidden>
        {user?.name.trim().charAt(0).toUpperCase()}
      </Avatar>
      <Box miw={0}>
        <Text fw={600} truncate="end">
          {user?.name ?? ''}
        </Text>
        <Text fz="sm" c="dimmed" truncate="end">
          {emailText(user?.email ?? '')}
        </Text>
      </Box>
    </Link>
  );
}

/** The menu of the user area, in the side bar and in the drawer. */
export function UserMenu({ onNavigate }: { onNavigate?: () => void }) {
  const { pathname } = useLocation();
  const isAdmin = useSession()?.user?.is_admin ?? false;
  return (
    <Stack h="100%" gap="md" p="md">
      <Box px="sm">
        <Text fw={600} fz="sm">
          User Panel
        </Text>
        <Text fz="sm" c="dimmed">
          {isAdmin ? 'Administrator' : 'User'}
        </Text>
      </Box>
      <ScrollArea flex={1} type="auto">
        <Stack component="nav" gap={4} aria-label="Menu utama">
          {userMenuItems.map(({ to, label, Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              leftSection={<Icon size={20} aria-hidden />}
              active={isCurrent(to, pathname)}
              aria-current={isCurrent(to, pathname) ? 'page' : undefined}
              {...(onNavigate ? { onClick: onNavigate } : {})}
            />
          ))}
          {isAdmin ? (
            <NavLink
              component={Link}
              to={paths.adminDashboard}
              label="Area administrator"
              leftSection={<IconShieldLock size={20} aria-hidden />}
            />
          ) : null}
        </Stack>
      </ScrollArea>
      <Divider />
      <CurrentUserLink onNavigate={onNavigate} />
      <SignOutButton />
    </Stack>
  );
}

/** The items of the users' menu, in order (docs/requirements.md R-UI-5). */
export const userMenuItems = [
  { to: paths.dashboard, label: 'Dashboard', Icon: IconLayoutDashboard },
  { to: paths.records, label: 'Data Pajak', Icon: IconFileDescription },
  { to: paths.recordCreate, label: 'Tambah Pajak', Icon: IconFilePlus },
  { to: paths.reports, label: 'Laporan', Icon: IconReportAnalytics },
] as const;
