import { useQuery, useQueryClient } from '@tanstack/react-query';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { FirstStepState } from '#shared/api/first-steps.ts';
import type { FirstStep } from '#shared/domain/office/first-steps.ts';
import { changeFirstStep, firstStepsQuery } from '../api.ts';
import { firstStepTexts } from './first-step-texts.ts';

/** The first steps of the office: which are open, which are done, and putting some away (R-OFFICE-13). */
export function useFirstSteps() {
  const queryClient = useQueryClient();
  const { data } = useQuery(firstStepsQuery);
  const inState = (state: FirstStepState): FirstStep[] =>
    data?.filter((known) => known.state === state).map(({ step }) => step) ?? [];

  /** One after the other: each answer holds all steps. @returns whether all were stored */
  async function change(steps: readonly FirstStep[], state: FirstStepState, failure: string): Promise<boolean> {
    try {
      for (const step of steps) {
        const answer = await changeFirstStep(step, state);
        queryClient.setQueryData(firstStepsQuery.queryKey, answer);
      }
      return true;
    } catch (error) {
      notify.failure(error, failure);
      return false;
    }
  }

  const { submit: dismiss, busy } = useSubmit(async (steps: readonly FirstStep[]) => {
    if (!(await change(steps, 'dismissed', 'Langkah gagal disingkirkan'))) return;
    const [first, ...others] = steps;
    notify.undo({
      message:
        first && others.length === 0
          ? `Langkah ‘${firstStepTexts[first].label}’ disingkirkan`
          : `${steps.length} langkah disingkirkan`,
      onUndo: () => void change(steps, 'open', 'Langkah gagal dikembalikan'),
    });
  });

  return { open: inState('open'), done: inState('done'), dismiss, busy };
}
