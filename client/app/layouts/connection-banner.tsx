import { IconCloudOff } from '@tabler/icons-react';
import { useServerReachable } from '#client/lib/server-reachability.ts';
import classes from './connection-banner.module.css';

const HEADER_HEIGHT_PX = 60;
const BANNER_HEIGHT_PX = 28;

/** The height of a header that has the banner in it; Mantine turns it into rem. */
export function useHeaderHeight(): number {
  return useServerReachable() ? HEADER_HEIGHT_PX : HEADER_HEIGHT_PX + BANNER_HEIGHT_PX;
}

/** One line at the top of every page while the server does not answer (docs/requirements.md R-UI-18). */
export function ConnectionBanner() {
  const isReachable = useServerReachable();
  return (
    <output className={`${classes['banner']} no-print`}>
      {isReachable ? null : (
        <>
          <IconCloudOff size={16} aria-hidden />
          <span>Tidak ada sambungan. Mencoba lagi…</span>
        </>
      )}
    </output>
  );
}
