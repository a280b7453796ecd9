import { useMediaQuery } from '@mantine/hooks';
import { useLocation } from 'react-router-dom';
import { paths } from '#client/paths.ts';

/** Whether the page has a header of its own and needs the room: a conversation on a phone, with the keyboard open. */
export function useOwnHeader(): boolean {
  const { pathname, search } = useLocation();
  const roomy = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  return !roomy && pathname === paths.adminChat && new URLSearchParams(search).has('user');
}
