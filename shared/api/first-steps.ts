import { z } from 'zod';
import { FIRST_STEPS } from '../domain/office/first-steps.ts';
import { singleOf } from './envelope.ts';

export const firstStepTexts = {
  missing: 'Langkah tidak ditemukan',
  stateInvalid: 'Status langkah tidak valid',
} as const;

/** `done` only for what no stored data shows: the printed QR sheet. `open` takes the others back. */
export const firstStepBody = z.object({
  state: z.enum(['open', 'done', 'dismissed'], { error: firstStepTexts.stateInvalid }),
});
export type FirstStepState = z.infer<typeof firstStepBody>['state'];

/** The first steps of a new office, in order (R-OFFICE-12). */
const firstSteps = z
  .array(z.object({ step: z.enum(FIRST_STEPS), state: z.enum(['open', 'done', 'dismissed']) }))
  .meta({ id: 'LangkahPertama' });
export type FirstSteps = z.infer<typeof firstSteps>;
export const firstStepsAnswer = singleOf(firstSteps);
