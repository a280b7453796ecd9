import { ActionIcon } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { type Ref, useEffect, useState } from 'react';
import { badgeText } from '../session/state.ts';
import classes from './launcher.module.css';

type Props = {
  /** Clicked, and the panel is still loading. */
  loading: boolean;
  unreadCount: number;
  onClick: () => void;
  ref: Ref<HTMLButtonElement>;
};

/** A smaller movement is a trembling finger. */
const SCROLL_STEP_PX = 8;
/** As near to the end, the page has room for the button. */
const END_OF_PAGE_PX = 80;

/** Whether the page is being scrolled down, to what may lie under the button. */
function useScrolledDown(): boolean {
  const [isScrolledDown, setIsScrolledDown] = useState(false);
  useEffect(() => {
    let lastY = window.scrollY;
    const onScroll = (): void => {
      const y = window.scrollY;
      const isAtEnd = y + window.innerHeight > document.documentElement.scrollHeight - END_OF_PAGE_PX;
      if (Math.abs(y - lastY) < SCROLL_STEP_PX && !isAtEnd) return;
      setIsScrolledDown(y > lastY && !isAtEnd);
      lastY = y;
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  return isScrolledDown;
}

export function Launcher({ loading, unreadCount, onClick, ref }: Props) {
  const isScrolledDown = useScrolledDown();
  return (
    <ActionIcon
      ref={ref}
      className={`${classes['launcher']} no-print`}
      // Unread messages stay in view.
      data-away={(isScrolledDown && unreadCount === 0) || undefined}
      size={56}
      radius="xl"
      variant="filled"
      aria-label={unreadCount > 0 ? `Buka Live Chat, ${unreadCount} pesan belum dibaca` : 'Buka Live Chat'}
      aria-expanded={false}
      loading={loading}
      onClick={onClick}
    >
      <IconMessageCircle size={28} aria-hidden />
      {unreadCount > 0 ? (
        <span className={classes['badge']} aria-hidden>
          {badgeText(unreadCount)}
        </span>
      ) : null}
    </ActionIcon>
  );
}
