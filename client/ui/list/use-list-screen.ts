import { useWideScreen } from '../screen/use-wide-screen.ts';
import { usePageParam } from './paging/page-params.ts';
import { usePageSize } from './paging/page-size.ts';
import { useDensity } from './rows/density.tsx';

const TABLE_FROM_EM = 75;
const PHONE_BELOW_EM = 48;

/**
 * The page of a list, how its rows are shown, and whether its table or only a phone's width fits.
 * @param tableFromEm the width of the screen from which the table has room
 */
export function useListScreen({ tableFromEm = TABLE_FROM_EM } = {}) {
  const { page, setPage } = usePageParam();
  const pageSize = usePageSize();
  const density = useDensity();
  const isWide = useWideScreen(tableFromEm);
  const isPhone = !useWideScreen(PHONE_BELOW_EM);
  return { page, setPage, pageSize, density, isWide, isPhone };
}
