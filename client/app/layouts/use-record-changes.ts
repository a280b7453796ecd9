import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useChatClient } from '#client/features/chat/session/use-chat.ts';

/** A busy office changes records many times a second; what shows them is asked for again once in this time. */
const APART_MS = 1500;
const AFFECTED = ['tax-records', 'reports', 'audit'];

/** Whoever changed a record, what shows records is read again: nobody works on yesterday's figures. */
export function useRecordChanges(): void {
  const client = useChatClient();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = () => {
      timer = undefined;
      for (const name of AFFECTED) void queries.invalidateQueries({ queryKey: [name] });
    };
    const stop = client?.onRecordChange(() => {
      timer ??= setTimeout(reload, APART_MS);
    });
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [client, queries]);
}
