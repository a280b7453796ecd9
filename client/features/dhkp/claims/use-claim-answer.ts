import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useDecidedRows } from '#client/ui/list/decisions/use-decided-rows.ts';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import { approveClaim, findClaim, rejectClaim, reloadClaims, reloadList } from '../api.ts';

const FAILED_TEXT = 'Jawaban gagal disimpan';

/** Whether a request may have an answer already, or is gone. */
const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 409 || error.status === 404);

/** Answers requests. One that a colleague has answered stays at its place, with that answer. */
export function useClaimAnswer(claims: readonly Claim[]) {
  const queryClient = useQueryClient();
  const { shown, decide, refuse, clearRefusal, failureOf: refusalOf } = useDecidedRows(claims);
  /** Requests that turned out to have an answer, as they are stored. */
  const [answered, setAnswered] = useState<ReadonlyMap<string, Claim>>(new Map());

  async function showRefusal(claim: Claim, error: unknown): Promise<void> {
    refuse(claim, failureOf(error, FAILED_TEXT));
    if (!isOutdated(error)) return;
    const stored = await findClaim(claim.id).catch(() => null);
    if (stored && stored.state !== 'open') setAnswered((before) => new Map(before).set(claim.id, stored));
    void reloadClaims(queryClient);
  }

  const { submit: approve, busy: isApproving } = useSubmit(async (claim: Claim, assessmentId: string) => {
    clearRefusal();
    try {
      await approveClaim(claim, assessmentId);
      decide(claim.id);
      notify.success(`Permintaan disetujui. Objek ${claim.nop_text} terhubung dengan ${claim.user.name}.`);
      void reloadList(queryClient);
    } catch (error) {
      await showRefusal(claim, error);
    }
  });

  /** @throws an error after which the same reason may be sent again */
  async function reject(claim: Claim, reason: string): Promise<void> {
    clearRefusal();
    try {
      await rejectClaim(claim.id, reason);
      decide(claim.id);
      notify.success(`Permintaan ${claim.user.name} ditolak`);
      void reloadList(queryClient);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      await showRefusal(claim, error);
    }
  }

  return {
    shown: shown.map((claim) => answered.get(claim.id) ?? claim),
    refusalOf,
    approve,
    reject,
    isApproving,
  };
}
