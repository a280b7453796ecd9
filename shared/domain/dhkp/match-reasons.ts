/** The facts for which an account is proposed as the owner of an object, the strongest first. */
export const MATCH_REASONS = ['nop', 'name', 'address'] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

export const matchReasonLabels: Record<MatchReason, string> = {
  nop: 'NOP sama',
  name: 'Nama sama',
  address: 'Alamat sama',
};

const SCORES: Record<MatchReason, number> = { nop: 100, name: 40, address: 20 };

export const scoreOf = (reasons: readonly MatchReason[]): number =>
  reasons.reduce((sum, reason) => sum + SCORES[reason], 0);
