import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { api } from '#client/lib/api/api.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { rememberPushChoices } from '../../notifications/push/push-choices.ts';
import type { PushPreferences } from '#shared/api/push.ts';

const preferencesKey = ['push', 'preferences'] as const;

/** The choice of notifications for all devices of the signed-in person (R-PUSH-63). */
export const pushPreferencesQuery = queryOptions({
  queryKey: preferencesKey,
  queryFn: async ({ signal }) => {
    const preferences = await api.get('/push/preferences', { signal });
    rememberPushChoices(preferences);
    return preferences;
  },
});

export const sendTestPush = () => api.post('/push/test');

type Calls = { queue: Promise<unknown>; count: number; stored: PushPreferences | undefined };

/**
 * Shows a change at once and stores it. Changes are stored one after the other, each with those before it. In the end the screen
 * shows what the server has.
 */
export function useChangePreferences() {
  const queries = useQueryClient();
  const calls = useRef<Calls>({ queue: Promise.resolve(), count: 0, stored: undefined });
  const [isSaved, setSaved] = useState(false);

  async function change(fields: Partial<PushPreferences>): Promise<boolean> {
    const { current } = calls;
    const before = queries.getQueryData<PushPreferences>(preferencesKey);
    if (!before) return false;
    if (current.count === 0) current.stored = before;
    current.count += 1;
    setSaved(false);
    void queries.cancelQueries({ queryKey: preferencesKey });
    const wanted = { ...before, ...fields };
    queries.setQueryData(preferencesKey, wanted);
    const call = current.queue.then(() => api.put('/push/preferences', { body: wanted }));
    current.queue = call.catch(() => undefined);
    let isStored = false;
    try {
      current.stored = await call;
      rememberPushChoices(current.stored);
      isStored = true;
    } catch (error) {
      notify.error(messageOf(error, 'Pilihan notifikasi belum tersimpan'), hintOf(error));
    }
    current.count -= 1;
    if (current.count > 0) return isStored;
    queries.setQueryData(preferencesKey, current.stored);
    setSaved(isStored);
    // A call without an answer may have been stored.
    if (!isStored) void queries.invalidateQueries({ queryKey: preferencesKey });
    return isStored;
  }
  return { change, isSaved };
}
