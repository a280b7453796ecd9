import { useQuery } from '@tanstack/react-query';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { ownNoticesQuery } from './own-notices-query.ts';

const loadOwnNotices = async () => (await import('./own-notices.tsx')).OwnNotices;

/** Above every page: lines about what the office did to the account. Their code comes only when there is one. */
export function OwnNoticesMount({ shownMax }: { shownMax: number }) {
  const { data } = useQuery(ownNoticesQuery);
  const { Component } = useLazyComponent(loadOwnNotices, 'Pemberitahuan akun belum dapat dimuat', {
    wanted: Boolean(data?.length),
  });
  return Component && data?.length ? <Component notices={data.slice(-shownMax)} /> : null;
}
