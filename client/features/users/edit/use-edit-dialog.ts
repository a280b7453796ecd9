import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { UserAnswer } from '#shared/api/users.ts';
import { fetchUser } from '../api.ts';

/** Whose edit dialog is open. `?edit={id}` opens one and then leaves the address (specification 2.4). */
export function useEditDialog() {
  const [params, setParams] = useSearchParams();
  const [user, setUser] = useState<UserAnswer | null>(null);
  // Only the last request counts when another dialog was opened while the answer was on its way.
  const latestId = useRef<string | null>(null);
  const requestedId = params.get('edit');

  useEffect(() => {
    if (requestedId === null) return;
    latestId.current = requestedId;
    setParams(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete('edit');
        return rest;
      },
      { replace: true },
    );
    if (requestedId === '') return;
    async function open(id: string): Promise<void> {
      try {
        const found = await fetchUser(id);
        if (latestId.current === id) setUser(found);
      } catch (error) {
        if (latestId.current === id) notify.failure(error, 'Gagal memuat users');
      }
    }
    void open(requestedId);
  }, [requestedId, setParams]);

  // Gone from the page, nobody waits for the answer any more.
  useEffect(() => () => void (latestId.current = null), []);

  function edit(next: UserAnswer | null): void {
    latestId.current = null;
    setUser(next);
  }

  return { user, edit };
}
