import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { UserAnswer } from '#shared/api/users.ts';
import { fetchUser } from '../api.ts';

/** The user whose edit dialog is open. `?edit={id}` opens it and is then removed (docs/requirements.md R-USER-9). */
export function useEditDialog() {
  const [params, setParams] = useSearchParams();
  const [user, setUser] = useState<UserAnswer | null>(null);
  // When another dialog is opened before the answer comes, only the last request counts.
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
      { replace: true, preventScrollReset: true },
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

  // An answer after unmounting is ignored.
  useEffect(() => () => void (latestId.current = null), []);

  function edit(next: UserAnswer | null): void {
    latestId.current = null;
    setUser(next);
  }

  return { user, edit };
}
