import { Button } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import { lastChangeAtom, setLastChange } from '../../display/mark-paid/last-change.ts';
import classes from './result-line.module.css';

/**
 * The last change of status with its undo. It stays until the next change or undo, or until the admin leaves the page.
 * Ctrl+Z does the same as the button.
 */
export function LastChangeLine() {
  const lastChange = useAtomValue(lastChangeAtom);
  useEffect(() => {
    setLastChange(null);
    return () => setLastChange(null);
  }, []);
  // A toast binds its keys later than the page, so its undo comes first.
  usePageKeys((event) => {
    if (event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    if (event.key.toLowerCase() !== 'z') return;
    if (lastChange) {
      event.preventDefault();
      lastChange.undo();
    } else if (event.target instanceof Element && event.target.closest('[data-record-list]'))
      notify.info('Tidak ada yang bisa diurungkan');
  });
  if (!lastChange) return null;
  return (
    <span className={classes['lastChange']}>
      <span>Terakhir: {lastChange.text}</span>
      <span aria-hidden>·</span>
      <Button
        variant="subtle"
        className={classes['chip'] ?? ''}
        title="Ctrl+Z"
        aria-label="Urungkan yang terakhir"
        aria-keyshortcuts="Control+Z"
        onClick={lastChange.undo}
      >
        Urungkan
      </Button>
    </span>
  );
}
