/** Acts on the ways into an account, as its own log keeps them (R-ACCESS-3). */

export const SECURITY_EVENTS = [
  'recovery_code.made',
  'recovery_code.ended',
  'recovery_code.used',
  'password.changed',
  'card.made',
  'card.ended',
  'card.activated',
  'card.used',
  'card.blocked',
  'second_factor.on',
  'second_factor.off',
  'second_factor.removed',
  'second_factor.code_used',
  'second_factor.setup_code',
  'email.changed',
  'phone.changed',
  'erasure.asked',
  'erasure.withdrawn',
  'erasure.rejected',
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

/** The ways in which the office finds out who asks. */
export const CHECKED_BY = ['counter', 'phone'] as const;

/** The rights to an act; null in the log: the rights of the office. */
export const SECURITY_HOWS = [...CHECKED_BY, 'password', 'code', 'pin'] as const;

/** The ways in by which a session begins. */
export const SESSION_ENTRIES = ['password', 'code', 'card'] as const;
export type SessionEntry = (typeof SESSION_ENTRIES)[number];
