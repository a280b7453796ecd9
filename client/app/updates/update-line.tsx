import { Button, CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { probeServer } from '#client/lib/api/api.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { allowUnload } from '#client/ui/form/allow-unload.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { browser } from '../pages/chunk-load-error.ts';
import classes from './update-line.module.css';
import { leaveOldVersion } from '#client/lib/browser/worker-registration.ts';

/**
 * Asks before unsaved input is lost, because on an iPhone the browser itself never does. The code of forms is loaded only now: it
 * does not belong to the first load, and where a form is open it is here already.
 */
async function mayLeaveForms(): Promise<boolean> {
  try {
    const { confirmLeave } = await import('#client/ui/form/use-unsaved-warning.ts');
    if (!(await confirmLeave())) return false;
    allowUnload();
  } catch {
    // The server has this file no more, so no form was ever opened on this page.
  }
  return true;
}

/** One line at the top of every page while the server has another version than the page. Nothing reloads by itself. */
export function UpdateLine({ onRefuse }: { onRefuse: () => void }) {
  // Screen readers read what is put into a region that is already there.
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsThere(true));
    return () => clearTimeout(timer);
  }, []);
  const { submit, busy } = useSubmit(async () => {
    if (await probeServer()) {
      await leaveOldVersion();
      // A reload loses nothing of the chat: its drafts are stored.
      browser.reload();
    } else {
      notify.error('Tidak ada sambungan ke server.', 'Versi baru dapat dimuat begitu tersambung lagi.');
    }
  });
  async function load(): Promise<void> {
    if (await mayLeaveForms()) await submit();
  }
  function refuse(): void {
    onRefuse();
    focusHeading();
  }
  return (
    <div className={`${classes['line']} no-print`}>
      <output className={classes['text']}>{isThere ? 'Versi baru tersedia' : null}</output>
      <Button
        variant="transparent"
        className={classes['button'] ?? ''}
        loading={busy}
        loaderProps={{ color: 'currentColor' }}
        onClick={() => void load()}
      >
        Muat versi baru
      </Button>
      <CloseButton variant="transparent" c="inherit" size={44} iconSize={20} aria-label="Nanti" onClick={refuse} />
    </div>
  );
}
