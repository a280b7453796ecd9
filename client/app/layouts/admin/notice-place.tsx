import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { bindSizeChange } from '#client/ui/screen/observe-size.ts';
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
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const { style } = document.documentElement;
    const measure = (): void => style.setProperty(HEIGHT_VARIABLE, `${element.offsetHeight}px`);
    measure();
    const unbind = bindSizeChange([element], measure);
    return () => {
      unbind();
      style.removeProperty(HEIGHT_VARIABLE);
    };
  }, []);
  return (
    <div ref={box} className={`no-print ${classes['place']}`} data-fills={isFullBleed || undefined}>
      {children}
    </div>
  );
}
