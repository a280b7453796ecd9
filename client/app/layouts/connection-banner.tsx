import { IconCloudOff } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useServerReachable } from '#client/lib/api/server-reachability.ts';
import { updateLineAtom } from '../updates/update-line-state.ts';
import classes from './connection-banner.module.css';

const HEADER_HEIGHT_PX = 60;
const BANNER_HEIGHT_PX = 28;
const UPDATE_LINE_HEIGHT_PX = 44;

/** The height of a header that has the banner in it; Mantine turns it into rem. */
export function useHeaderHeight(): number {
  const bannerHeight = useServerReachable() ? 0 : BANNER_HEIGHT_PX;
  return HEADER_HEIGHT_PX + bannerHeight + (useAtomValue(updateLineAtom) ? UPDATE_LINE_HEIGHT_PX : 0);
}

/** One line at the top of every page while the server does not answer (docs/requirements.md R-UI-18), and one that offers a new version. */
export function ConnectionBanner() {
  const isReachable = useServerReachable();
  const update = useAtomValue(updateLineAtom);
  return (
    <>
      <output className={`${classes['banner']} no-print`}>
        {isReachable ? null : (
          <>
            <IconCloudOff size={16} aria-hidden />
            <span>Tidak ada sambungan. Mencoba lagi…</span>
          </>
        )}
      </output>
      {update ? <update.Line onRefuse={update.onRefuse} /> : null}
    </>
  );
}
