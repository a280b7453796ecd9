import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { allPages } from '#client/lib/api/all-pages.ts';
import { api } from '#client/lib/api/api.ts';
import { toFormData } from '#client/lib/api/form-data.ts';
import { reloadQueries } from '#client/lib/api/reload-queries.ts';
import type { AssessmentSort, OfficeChanges } from '#shared/api/dhkp/assessments.ts';
import type { Batch, BatchChoicesBody } from '#shared/api/dhkp/batches.ts';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import type { DhkpSettingsBody } from '#shared/api/dhkp/settings.ts';
import type { BatchState, ClaimState, ObjectCondition, RowFilter } from '#shared/domain/dhkp/list-states.ts';
import type { AssessedField } from '#shared/domain/tax-records/assessed-fields.ts';
import { ASSESSMENTS_MAX, CLAIMS_MAX } from '#shared/limits.ts';

/** A filter of the list; '' means all, and of the year the newest one with a list. */
export type AssessmentFilter = {
  search: string;
  year: string;
  area_id: string;
  block: string;
  book: '1' | '2' | '3' | '4' | '5' | '';
  collector_id: string;
  linked: '1' | '0' | '';
  listed: '1' | '0' | '';
  condition: ObjectCondition | '';
  handed_out: '1' | '0' | '';
  paid: 'no' | 'authority' | '';
  sort: AssessmentSort | `-${AssessmentSort}`;
};

/** The query keys. They begin alike, so that one applied import invalidates all of them. */
export const dhkpKeys = {
  all: ['dhkp'],
  lists: ['dhkp', 'list'],
  objects: ['dhkp', 'object'],
  object: (id: string) => ['dhkp', 'object', id],
  matches: ['dhkp', 'matches'],
  claims: ['dhkp', 'claims'],
  batches: ['dhkp', 'batches'],
  batch: (id: string) => ['dhkp', 'batch', id],
  rows: (id: string) => ['dhkp', 'rows', id],
  settings: ['dhkp', 'settings'],
  blocks: ['dhkp', 'blocks'],
} as const;

function fetchAssessments(
  { linked, listed, handed_out, ...filter }: AssessmentFilter,
  { page, limit, signal }: { page: number; limit: number; signal: AbortSignal },
) {
  const flags = { linked: toFlag(linked), listed: toFlag(listed), handed_out: toFlag(handed_out) };
  return api.get('/admin/dhkp', { query: { ...filter, ...flags, page, limit }, signal });
}

const toFlag = (choice: '1' | '0' | ''): 1 | 0 | '' => (choice === '' ? '' : choice === '1' ? 1 : 0);

export const assessmentsQuery = (filter: AssessmentFilter, page: number, pageSize: number) =>
  queryOptions({
    queryKey: [...dhkpKeys.lists, filter, page, pageSize],
    queryFn: ({ signal }) => fetchAssessments(filter, { page, limit: pageSize, signal }),
    // The rows on screen stay until the next answer arrives.
    placeholderData: keepPreviousData,
  });

/** All objects that match a filter, page by page. */
export const assessmentPages = (filter: AssessmentFilter, signal: AbortSignal) =>
  allPages((page) => fetchAssessments(filter, { page, limit: ASSESSMENTS_MAX, signal }));

export const objectQuery = (id: string) =>
  queryOptions({
    queryKey: dhkpKeys.object(id),
    queryFn: ({ signal }) => fetchObject(id, signal),
  });

export const fetchObject = (id: string, signal?: AbortSignal) =>
  api.get('/admin/dhkp/{id}', { params: { id }, signal });

export const updateObject = (id: string, changes: OfficeChanges, updatedAt: string) =>
  api.put('/admin/dhkp/{id}', { params: { id }, body: { ...changes, updated_at: updatedAt } });

/** The chosen objects, or all that a filter finds. */
export type BulkTarget = { ids: string[] } | { filter: AssessmentFilter };

export function changeObjects(target: BulkTarget, set: OfficeChanges) {
  if ('ids' in target) return api.post('/admin/dhkp/bulk', { body: { ids: target.ids, set } });
  const { sort: _sort, ...parts } = target.filter;
  const filter = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
  return api.post('/admin/dhkp/bulk', { body: { filter, set } });
}

export const batchesQuery = (page: number) =>
  queryOptions({
    queryKey: [...dhkpKeys.batches, page],
    queryFn: ({ signal }) => api.get('/admin/dhkp/batches', { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });

/** States that end by themselves. */
export const isRunning = (state: BatchState): boolean => state === 'reading' || state === 'applying';

/** States of an import that has not begun to change the list. */
export const canDiscard = (state: BatchState): boolean =>
  state === 'reading' || state === 'mapping' || state === 'ready' || state === 'failed';

/** Without a socket nothing tells how far an import is. */
const RUNNING_POLL_MS = 2000;

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: dhkpKeys.batch(id),
    queryFn: ({ signal }) => api.get('/admin/dhkp/batches/{id}', { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data.state) ? RUNNING_POLL_MS : false),
  });

type RowsQuery = { kind: RowFilter; page: number; limit: number };

export const batchRowsQuery = ({ id, preview_id: previewId }: Batch, { kind, page, limit }: RowsQuery) =>
  queryOptions({
    queryKey: [...dhkpKeys.rows(id), previewId, kind, page, limit],
    queryFn: ({ signal }) =>
      api.get('/admin/dhkp/batches/{id}/rows', { params: { id }, query: { kind, page, limit }, signal }),
    placeholderData: keepPreviousData,
  });

export type NewBatch = { year: number; client_id: string } & ({ file: File } | { text: string });

export function createBatch(batch: NewBatch, onProgress: (fraction: number) => void) {
  if ('text' in batch) return api.post('/admin/dhkp/batches', { body: batch });
  return api.postForm('/admin/dhkp/batches', { form: toFormData(batch), onProgress });
}

export const changeBatch = (id: string, choices: BatchChoicesBody) =>
  api.put('/admin/dhkp/batches/{id}', { params: { id }, body: choices });
export const discardBatch = (id: string) => api.delete('/admin/dhkp/batches/{id}', { params: { id } });
export const applyBatch = (id: string, previewId: string, reason: string | null) =>
  api.post('/admin/dhkp/batches/{id}/apply', {
    params: { id },
    body: { preview_id: previewId, control_reason: reason },
  });
export const revertBatch = (id: string, reason: string) =>
  api.post('/admin/dhkp/batches/{id}/revert', { params: { id }, body: { reason } });

export const dhkpSettingsQuery = queryOptions({
  queryKey: dhkpKeys.settings,
  queryFn: ({ signal }) => api.get('/admin/dhkp/settings', { signal }),
  staleTime: 0,
});
export const saveDhkpSettings = (settings: DhkpSettingsBody) => api.put('/admin/dhkp/settings', { body: settings });

/** The areas of the blocks, with the blocks that the newest list has. */
export const blocksQuery = queryOptions({
  queryKey: dhkpKeys.blocks,
  queryFn: ({ signal }) => api.getAnswer('/admin/dhkp/blocks', { signal }),
  staleTime: 0,
});
export const saveBlocks = (blocks: { block: string; area_id: string | null }[]) =>
  api.put('/admin/dhkp/blocks', { body: blocks });

/** Shows a batch as an answer has it, before the lists are asked again. */
export function storeBatch(queryClient: QueryClient, batch: Batch): void {
  queryClient.setQueryData(dhkpKeys.batch(batch.id), batch);
  void queryClient.invalidateQueries({ queryKey: dhkpKeys.batches });
}

const LIST_KEYS = [dhkpKeys.lists, dhkpKeys.objects, dhkpKeys.matches, dhkpKeys.claims, ['audit']];

/** Fetches again what shows the list, after a change of it. */
export async function reloadList(queryClient: QueryClient): Promise<void> {
  await Promise.all(LIST_KEYS.map((queryKey) => reloadQueries(queryClient, { queryKey })));
}

/** Objects without an account of a year ('': the newest with a list), with the accounts that may own them. */
export const matchesQuery = (year: string, page: number) =>
  queryOptions({
    queryKey: [...dhkpKeys.matches, year, page],
    queryFn: ({ signal }) => api.get('/admin/dhkp/matches', { query: { year, page }, signal }),
    placeholderData: keepPreviousData,
  });

/** The years with a list, and the number of listed objects of one of them that have no account. */
export const unlinkedQuery = (year: string) =>
  queryOptions({
    queryKey: [...dhkpKeys.lists, 'unlinked', year],
    queryFn: ({ signal }) => api.get('/admin/dhkp', { query: { year, linked: 0, listed: 1, limit: 1 }, signal }),
    placeholderData: keepPreviousData,
  });

export const linkObject = (id: string, userId: string, overwrite: AssessedField[] = []) =>
  api.post('/admin/dhkp/{id}/link', { params: { id }, body: { user_id: userId, overwrite } });
export const unlinkObject = (id: string) => api.delete('/admin/dhkp/{id}/link', { params: { id } });

/** Requests of users in one state: open ones the oldest first, others the newest first. */
export const claimsQuery = (state: ClaimState, page: number) =>
  queryOptions({
    queryKey: [...dhkpKeys.claims, state, page],
    queryFn: ({ signal }) => api.get('/admin/claims', { query: { state, page }, signal }),
    placeholderData: keepPreviousData,
  });

/** The number of requests that wait, and since when the oldest does. */
export const openClaimsQuery = queryOptions({
  queryKey: [...dhkpKeys.claims, 'count'],
  queryFn: async ({ signal }) => {
    const { total, data } = await api.get('/admin/claims', { query: { state: 'open', limit: 1 }, signal });
    return { count: total, oldestAt: data[0]?.created_at ?? null, atMs: Date.now() };
  },
});

/** One request as it is stored now; null when it was withdrawn, or lies behind many newer ones. */
export async function findClaim(id: string): Promise<Claim | null> {
  const { data } = await api.get('/admin/claims', { query: { limit: CLAIMS_MAX } });
  return data.find((claim) => claim.id === id) ?? null;
}

export const approveClaim = ({ id, updated_at }: Claim, assessmentId: string) =>
  api.post('/admin/claims/{id}/approve', { params: { id }, body: { assessment_id: assessmentId, updated_at } });
export const rejectClaim = (id: string, reason: string) =>
  api.post('/admin/claims/{id}/reject', { params: { id }, body: { reason } });

/** Fetches requests again, and the pages of their objects. */
export async function reloadClaims(queryClient: QueryClient): Promise<void> {
  await Promise.all([dhkpKeys.claims, dhkpKeys.objects].map((queryKey) => reloadQueries(queryClient, { queryKey })));
}
