import { useMediaQuery } from '@mantine/hooks';

/** Whether a table fits; narrower screens show cards. `from` is larger for a table with many columns. */
export function useWideScreen(from = '62em'): boolean {
  return useMediaQuery(`(min-width: ${from})`, false, { getInitialValueInEffect: false });
}
