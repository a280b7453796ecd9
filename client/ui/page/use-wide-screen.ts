import { useMediaQuery } from '@mantine/hooks';

/** Whether there is room for a table; below that, lists show cards. `from` is larger for a table of many columns. */
export function useWideScreen(from = '62em'): boolean {
  return useMediaQuery(`(min-width: ${from})`, false, { getInitialValueInEffect: false });
}
