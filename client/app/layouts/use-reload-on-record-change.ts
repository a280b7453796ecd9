import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useChatSession } from '#client/features/chat/session/use-chat.ts';

/** A busy office changes records many times a second; what shows them is asked for again once in this time. */
const RELOAD_THROTTLE_MS = 1500;
const AFFECTED_KEYS = ['tax-records', 'reports', 'audit'];

/** Whoever changed a record, what shows records is read again: nobody works on yesterday's figures. */
export function useReloadOnRecordChange(): void {
  const client = useChatSession();
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = () => {
      timer = undefined;
      for (const name of AFFECTED_KEYS) void queryClient.invalidateQueries({ queryKey: [name] });
    };
    const unsubscribe = client?.onRecordChange(() => {
      timer ??= setTimeout(reload, RELOAD_THROTTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe?.();
    };
  }, [client, queryClient]);
}
