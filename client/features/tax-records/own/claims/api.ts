import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { v4 as newClientId } from 'uuid';
import { api } from '#client/lib/api/api.ts';
import { toFormData } from '#client/lib/api/form-data.ts';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import type { ClaimBody } from '#shared/api/dhkp/claims.ts';

const claimsKey = ['claims'];

/** The own requests, newest first (R-DHKP-33). */
export const ownClaimsQuery = queryOptions({
  queryKey: claimsKey,
  queryFn: ({ signal }) => api.get('/tax-records/claims', { signal }),
});

export const reloadClaims = (queryClient: QueryClient): Promise<void> =>
  reloadQueries(queryClient, { queryKey: claimsKey });

/** The answer is the same whether the office's list has the NOP or not. */
export const sendClaim = (body: ClaimBody) => api.post('/tax-records/claims', { body });
export const withdrawClaim = (id: string) => api.delete('/tax-records/claims/{id}', { params: { id } });

/** Uploads a photo as for a message. @returns its id */
export async function uploadPhoto(file: File, onProgress: (fraction: number) => void): Promise<string> {
  // The text first: the server knows whose upload it is before it reads the file.
  const form = toFormData({ client_id: newClientId(), file });
  const { id } = await api.postForm('/messages/attachments', { form, onProgress });
  return id;
}
