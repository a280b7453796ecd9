import { useQuery } from '@tanstack/react-query';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { ownNoticesQuery } from './own-notices-query.ts';
import { OwnNotices } from './own-notices.tsx';

const loadConsentRequest = async () =>
  (await import('#client/features/own-data/display/consent-request.tsx')).ConsentRequest;

/** The lines above a page that concern the own account; each of the two may be missing. */
export function OwnLines({ shownMax }: { shownMax: number }) {
  const notices = useQuery(ownNoticesQuery).data ?? [];
  const due = useQuery(ownUserQuery).data?.consents_due ?? [];
  const { Component: ConsentRequest } = useLazyComponent(loadConsentRequest, {
    wanted: due.length > 0,
    delayMs: 0,
  });
  return (
    <>
      {notices.length > 0 ? <OwnNotices notices={notices.slice(-shownMax)} /> : null}
      {ConsentRequest && due.length > 0 ? <ConsentRequest due={due} /> : null}
    </>
  );
}
