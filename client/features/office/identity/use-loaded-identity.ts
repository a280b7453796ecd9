import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { api } from '#client/lib/api/api.ts';
import { storeOfficeIdentity, useOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { onReachableAgain } from '#client/lib/api/server-reachability.ts';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import { connectionNumberAtom } from '#client/realtime/connection-state.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { appNameOf } from '#shared/labels.ts';

/** Without an answer, what was known at the last visit stays. */
const load = (): void => void api.get('/office-identity').then(storeOfficeIdentity, () => undefined);

/** Loads the identity of the office without keeping any page waiting (docs/requirements.md R-OFFICE-24). */
export function useLoadedIdentity(): void {
  const { name } = useOfficeIdentity();
  useEffect(() => {
    load();
    return onReachableAgain(load);
  }, []);
  useEffect(() => {
    // An iPhone takes the name of the installed app from here, and others from the manifest.
    const meta = document.querySelector<HTMLMetaElement>('meta[name="apple-mobile-web-app-title"]');
    if (meta) meta.content = appNameOf(name);
  }, [name]);
}

/** A print that is made at once finds an image only when the browser has it already. */
let logoForPrint: HTMLImageElement | null = null;

/** Follows changes of the identity while a user is signed in, and keeps the logo ready for papers. */
export function useLiveIdentity(): void {
  const { logo_url: logoUrl } = useOfficeIdentity();
  const connectionNumber = useAtomValue(connectionNumberAtom);
  useServerEvent('office:identity', storeOfficeIdentity);
  // An event may have been missed while there was no connection. The first load is that of every page.
  useEffect(() => {
    if (connectionNumber > 1) load();
  }, [connectionNumber]);
  useEffect(() => {
    logoForPrint = logoUrl === null ? null : new Image();
    if (logoForPrint && logoUrl !== null) logoForPrint.src = uploadedFileUrl(logoUrl);
  }, [logoUrl]);
}
