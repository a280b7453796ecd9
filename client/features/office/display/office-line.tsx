import { useEffect, useState } from 'react';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { Office } from '#shared/api/office/office.ts';
import classes from './office-line.module.css';
import { officeText } from './office-text.ts';

/** A place in the queue may change every second; a screen reader hears of it at most once in this time. */
const QUIET_MS = 30_000;
/** So long a screen reader needs to notice a text, before the region falls silent. */
const HEARD_MS = 1000;

/** @returns whether a place in the queue was announced just now @param place null while there is none */
function useQuiet(place: number | null): boolean {
  const [isQuiet, setQuiet] = useState(false);
  const hasPlace = place !== null;
  useEffect(() => {
    if (isQuiet || !hasPlace) return undefined;
    const timer = setTimeout(() => setQuiet(true), HEARD_MS);
    return () => clearTimeout(timer);
  }, [isQuiet, hasPlace, place]);
  useEffect(() => {
    if (!isQuiet) return undefined;
    const timer = setTimeout(() => setQuiet(false), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isQuiet]);
  return isQuiet && hasPlace;
}

/** One line under the head of a resident's chat: whether the office is open, the usual wait, or the own place (R-OFFICE-7). */
export function OfficeLine({ office, atMs }: { office: Office | undefined; atMs: number }) {
  const text = office ? officeText(office, atMs, SERVER_TIME_ZONE) : null;
  const isPlaceShown = office && (office.open || !office.admin_online);
  const isQuiet = useQuiet(isPlaceShown ? office.ahead : null);
  return (
    <output
      className={text === null ? undefined : classes['line']}
      data-closed={office?.open === false || undefined}
      aria-live={isQuiet ? 'off' : 'polite'}
    >
      {text}
    </output>
  );
}
