import { type ReactNode, useEffect, useRef } from 'react';
import classes from './notice-place.module.css';

/** The height of the notices, for pages that fill the rest of the window. */
const HEIGHT_VARIABLE = '--notice-height';

type Props = {
  /** Whether the page below has no padding. */
  isFullBleed: boolean;
  children: ReactNode;
};

/** Holds what admins are told above every page, and says how high that is. */
export function NoticePlace({ isFullBleed, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => root.style.setProperty(HEIGHT_VARIABLE, `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty(HEIGHT_VARIABLE);
    };
  }, []);
  return (
    <div ref={box} className={`no-print ${classes['place']}`} data-fills={isFullBleed || undefined}>
      {children}
    </div>
  );
}
