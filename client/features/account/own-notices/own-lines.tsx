import { useQuery } from '@tanstack/react-query';
import { ConsentPanel } from '#client/features/own-data/display/consent-panel.tsx';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { ownNoticesQuery } from './own-notices-query.ts';
import { OwnNotices } from './own-notices.tsx';

/** The lines above a page that concern the own account; each of the two may be missing. */
export function OwnLines({ shownMax }: { shownMax: number }) {
  const notices = useQuery(ownNoticesQuery).data ?? [];
  const due = useQuery(ownUserQuery).data?.consents_due ?? [];
  return (
    <>
      {notices.length > 0 ? <OwnNotices notices={notices.slice(-shownMax)} /> : null}
      {due.length > 0 ? <ConsentPanel due={due} /> : null}
    </>
  );
}
