import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { UserAnswer } from '#shared/api/users.ts';
import { fetchUser } from './api.ts';

/** Whose edit dialog is open. `?edit={id}` opens one and then leaves the address (specification 2.4). */
export function useEditing() {
  const [params, setParams] = useSearchParams();
  const [user, setUser] = useState<UserAnswer | null>(null);
  // Only the last request counts when another dialog was opened while the answer was on its way.
  const wanted = useRef<string | null>(null);
  const asked = params.get('edit');

  useEffect(() => {
    if (asked === null) return;
    wanted.current = asked;
    setParams(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete('edit');
        return rest;
      },
      { replace: true },
    );
    if (asked === '') return;
    async function open(id: string): Promise<void> {
      try {
        const found = await fetchUser(id);
        if (wanted.current === id) setUser(found);
      } catch (error) {
        if (wanted.current === id) notify.failure(error, 'Gagal memuat users');
      }
    }
    void open(asked);
  }, [asked, setParams]);

  // Gone from the page, nobody waits for the answer any more.
  useEffect(() => () => void (wanted.current = null), []);

  function edit(next: UserAnswer | null): void {
    wanted.current = null;
    setUser(next);
  }

  return { user, edit };
}
