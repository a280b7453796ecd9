import type { ClaimState } from '#shared/domain/dhkp/list-states.ts';

export const claimStateLabels: Record<ClaimState, string> = {
  open: 'Menunggu',
  approved: 'Disetujui',
  rejected: 'Ditolak',
};
