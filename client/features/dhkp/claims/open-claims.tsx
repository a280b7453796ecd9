import { useState } from 'react';
import { useDecisionRows } from '#client/ui/list/decisions/use-decision-rows.ts';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import list from '#client/ui/list/list.module.css';
import { ClaimCard } from './claim-card.tsx';
import { RejectClaimDialog } from './reject-claim-dialog.tsx';
import { useClaimAnswer } from './use-claim-answer.ts';

type Props = {
  claims: readonly Claim[];
  /** Loads them again, because the links of attachments expire. */
  onReload: () => Promise<void>;
};

/** Requests that wait, the oldest first. `display/list-keys.ts` lists the keys. */
export function OpenClaims({ claims, onReload }: Props) {
  const { shown, refusalOf, approve, reject, isApproving } = useClaimAnswer(claims);
  const [rejected, setRejected] = useState<Claim | null>(null);
  const { list: listRef, onFocus } = useDecisionRows({
    rows: shown,
    onRowKey: (key, claim) => {
      if (key === 'x' && claim.state === 'open') setRejected(claim);
    },
  });
  return (
    <>
      <div ref={listRef} onFocus={onFocus} aria-busy={isApproving}>
        <ul className={list['cards']} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
          {shown.map((claim) => (
            <ClaimCard
              key={claim.id}
              claim={claim}
              refusal={refusalOf(claim.id)}
              onApprove={(assessmentId) => void approve(claim, assessmentId)}
              onReject={() => setRejected(claim)}
              onReload={onReload}
            />
          ))}
        </ul>
      </div>
      {rejected ? <RejectClaimDialog claim={rejected} onClose={() => setRejected(null)} onReject={reject} /> : null}
    </>
  );
}
