import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import classes from './office-line.module.css';
import { officeText } from './office-text.ts';
import { useOffice } from './use-office.ts';

/** A place in the queue may change every second; a screen reader hears of it at most once in this time. */
const ANNOUNCE_MS = 30_000;

/** @returns the text to announce: nothing at first, because what stands there at the start is read with the rest */
function useAnnouncement(text: string | null): string {
  const [announced, setAnnounced] = useState('');
  const known = useRef(text);
  const announcedAt = useRef(-Infinity);
  useEffect(() => {
    // The first text is no news.
    known.current ??= text;
    if (text === known.current) return undefined;
    const announce = (): void => {
      known.current = text;
      announcedAt.current = performance.now();
      setAnnounced(text ?? '');
    };
    const timer = setTimeout(announce, Math.max(0, announcedAt.current + ANNOUNCE_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [text]);
  return announced;
}

/** One line under the head of a resident's chat: whether the office is open, the usual wait, or the own place (R-OFFICE-7). */
export function OfficeLine() {
  const { office, atMs } = useOffice();
  const text = office ? officeText(office, atMs, SERVER_TIME_ZONE) : null;
  const announced = useAnnouncement(text);
  return (
    <>
      {text === null ? null : (
        <p className={classes['line']} data-closed={office?.open === false || undefined}>
          {text}
        </p>
      )}
      <VisuallyHidden component="output">{announced}</VisuallyHidden>
    </>
  );
}
