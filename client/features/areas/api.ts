import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import type { AreaKind } from '#shared/domain/dhkp/area-names.ts';

/** An area of the village as a form sends it. */
export type AreaFields = { name: string; kind: AreaKind; parent_id: string | null };

/** All areas, each before those below it. */
export const areasQuery = queryOptions({
  queryKey: ['areas'],
  queryFn: ({ signal }) => api.get('/admin/areas', { signal }),
});

export const createArea = (fields: AreaFields) => api.post('/admin/areas', { body: fields });
export const updateArea = (id: string, fields: AreaFields, updatedAt: string) =>
  api.put('/admin/areas/{id}', { params: { id }, body: { ...fields, updated_at: updatedAt } });
export const deleteArea = (id: string) => api.delete('/admin/areas/{id}', { params: { id } });
