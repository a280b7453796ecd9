import { Text } from '@mantine/core';
import { showDateTime } from '#client/lib/format.ts';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import { claimStateLabels } from './claim-texts.ts';

/** The answer to a request: which, why, by whom and when. */
export function ClaimAnswer({
  claim: { state, reason, answered_by, updated_at },
}: {
  claim: Pick<Claim, 'state' | 'reason' | 'answered_by' | 'updated_at'>;
}) {
  return (
    <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <strong>{reason === null ? claimStateLabels[state] : `${claimStateLabels[state]}: ${reason}`}</strong>
      {state === 'open' ? null : ` · ${[answered_by, showDateTime(updated_at)].filter(Boolean).join(' · ')}`}
    </Text>
  );
}
