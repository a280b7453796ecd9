import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import type { FirstStepState } from '#shared/api/first-steps.ts';
import type { FirstStep } from '#shared/domain/office/first-steps.ts';

export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: ({ signal }) => api.get('/admin/first-steps', { signal }),
  // Steps are done on other pages.
  staleTime: 0,
  retry: false,
});

/** @returns all steps as they are now */
export const changeFirstStep = (step: FirstStep, state: FirstStepState) =>
  api.put('/admin/first-steps/{step}', { params: { step }, body: { state } });
