import { useSession } from '#client/lib/session/session.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';

const loadOwnRecordChanges = async () => (await import('./own-record-changes.tsx')).OwnRecordChanges;

function LazyOwnRecordChanges() {
  const { Component } = useLazyComponent(loadOwnRecordChanges);
  return Component ? <Component /> : null;
}

/** Keeps the user's records current in the user area. The socket's code is no part of the first load. Not for admins. */
export function LiveOwnRecords() {
  const user = useSession()?.user;
  return user && !user.is_admin ? <LazyOwnRecordChanges /> : null;
}
