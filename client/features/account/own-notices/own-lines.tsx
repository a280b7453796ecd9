import { ConsentPanel } from '#client/features/own-data/display/consent-panel.tsx';
import type { ConsentDue } from '#shared/api/own-data.ts';
import type { OwnNotice } from '#shared/api/security-log.ts';
import { OwnNotices } from './own-notices.tsx';

type Props = { notices: readonly OwnNotice[]; due: readonly ConsentDue[] };

/** The lines above a page that concern the own account. */
export function OwnLines({ notices, due }: Props) {
  return (
    <>
      {notices.length > 0 ? <OwnNotices notices={notices} /> : null}
      {due.length > 0 ? <ConsentPanel due={due} /> : null}
    </>
  );
}
