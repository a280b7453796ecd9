import { useMediaQuery } from '@mantine/hooks';
import { useLocation } from 'react-router-dom';
import { paths } from '#client/paths.ts';

/** Whether the page has its own header: a conversation on a phone, which needs the space when the keyboard is open. */
export function useHasOwnHeader(): boolean {
  const { pathname, search } = useLocation();
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  return !isWide && pathname === paths.adminChat && new URLSearchParams(search).has('user');
}
