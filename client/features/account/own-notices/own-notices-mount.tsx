import { useQuery } from '@tanstack/react-query';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { ownNoticesQuery } from './own-notices-query.ts';

const loadOwnLines = async () => (await import('./own-lines.tsx')).OwnLines;

/** Above every page: what the office did to the account, and texts to accept. Their code comes only when there is one. */
export function OwnNoticesMount({ shownMax }: { shownMax: number }) {
  const notices = useQuery(ownNoticesQuery).data?.length;
  const { Component } = useLazyComponent(loadOwnLines, {
    wanted: Boolean(useQuery(ownUserQuery).data?.consents_due?.length || notices),
  });
  return Component && <Component shownMax={shownMax} />;
}
