import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { reloadList } from '../api.ts';
import { countsText } from './batch-texts.ts';

/** Leads to the list once an import that this page saw being applied is through. */
export function useLeaveWhenApplied(batch: Batch | undefined): void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const wasApplying = useRef(false);
  const state = batch?.state;
  useEffect(() => {
    if (state === 'applying') wasApplying.current = true;
    if (!batch || state !== 'applied' || !wasApplying.current) return;
    wasApplying.current = false;
    notify.success(`Daftar ${batch.year} diterapkan: ${countsText(batch)}`);
    void reloadList(queryClient);
    void navigate(paths.adminDhkpYear(batch.year));
    // Only the step to another state counts.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [state]);
}
