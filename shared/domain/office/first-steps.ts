/** The first steps of a new office, in the order in which they are shown (R-OFFICE-12). */
export const FIRST_STEPS = [
  'identity',
  'hours',
  'user_years',
  'quick_replies',
  'second_backup',
  'qr_sheet',
  'password',
] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];
