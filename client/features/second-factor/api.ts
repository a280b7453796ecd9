import { api } from '#client/lib/api/api.ts';
import type { EndFactorBody, StartedFactor, StartFactorBody } from '#shared/api/second-factor.ts';

/** @returns a secret that counts once a first code of the app was right */
export const startFactor = (body: NonNullable<StartFactorBody>): Promise<StartedFactor> =>
  api.post('/auth/second-factor', { body });

/** @returns the spare codes, which are shown once */
export const confirmFactor = async (code: string): Promise<readonly string[]> =>
  (await api.post('/auth/second-factor/confirm', { body: { code } })).recovery_codes;

export const endFactor = (body: EndFactorBody) => api.delete('/auth/second-factor', { body });
