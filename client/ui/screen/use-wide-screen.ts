import { useMediaQuery } from '@mantine/hooks';
import { DOCKED_WIDTH_EM, useDock } from './docked-panel.ts';

/**
 * Whether a table fits; narrower screens show cards.
 * @param fromEm is larger for a table with many columns; a panel at the side takes its width from the page
 */
export function useWideScreen(fromEm: number): boolean {
  const neededEm = useDock() === 'side' ? fromEm + DOCKED_WIDTH_EM : fromEm;
  return useMediaQuery(`(min-width: ${neededEm}em)`, false, { getInitialValueInEffect: false });
}
