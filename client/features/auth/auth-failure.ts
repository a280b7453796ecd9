import { ApiError, hintOf } from '#client/lib/api/api-error.ts';
import type { Failure } from '#client/ui/feedback/form-failure.tsx';

export type AuthFailure = Failure & { fields: string[]; status?: number };

/**
 * The texts for a failed login or registration (docs/requirements.md R-AUTH-16): the validation messages joined
 * with commas, else the server's message, else `refused`. `failed` when there is no valid answer or a server error.
 */
export function toAuthFailure(error: unknown, texts: { refused: string; failed: string }): AuthFailure {
  if (!(error instanceof ApiError) || error.kind !== 'http') {
    return { message: texts.failed, hint: hintOf(error), fields: [] };
  }
  const validationText = Object.values(error.errors ?? {})
    .flat()
    .join(', ');
  const fallback = error.status >= 500 ? texts.failed : texts.refused;
  const message = validationText || error.message || fallback;
  return { message, fields: Object.keys(error.errors ?? {}), status: error.status };
}
