import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { createQuickReply, quickRepliesKey, quickRepliesQuery } from './api.ts';
import { SAMPLE_REPLIES } from './sample-replies.ts';

/** Adds the examples whose shortcut is still free. After a failure it goes on where it stopped. */
export function useImportSamples() {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);

  const { submit, busy } = useSubmit(async () => {
    setFailure(null);
    let added = 0;
    try {
      const known = await queryClient.fetchQuery({ ...quickRepliesQuery, staleTime: 0 });
      const taken = new Set(known.filter(({ personal }) => !personal).map(({ shortcut }) => shortcut));
      for (const sample of SAMPLE_REPLIES) {
        if (taken.has(sample.shortcut)) continue;
        try {
          // One after the other: the list shows them in the order in which they come.
          await createQuickReply(sample);
          added += 1;
        } catch (error) {
          // A colleague was faster.
          if (!(error instanceof ApiError && error.status === 409)) throw error;
        }
      }
      notify.success(added === 0 ? 'Semua balasan contoh sudah ada' : `${added} balasan contoh ditambahkan`);
    } catch (error) {
      setFailure(failureOf(error, 'Balasan contoh belum semuanya ditambahkan'));
    } finally {
      await queryClient.invalidateQueries({ queryKey: quickRepliesKey });
    }
  });

  return { importSamples: () => void submit(), busy, failure };
}
