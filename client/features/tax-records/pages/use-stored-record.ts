import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { ApiError } from '#client/lib/api/api-error.ts';
import { recordQuery } from '../api.ts';
import { isRecordId } from '../scope.ts';
import type { RecordScope } from '../scope.ts';

/** The record that the URL names. Text that cannot be an id is never sent. */
export function useStoredRecord(scope: RecordScope) {
  const { id = '' } = useParams();
  const isValidId = isRecordId(id);
  const query = useQuery({ ...recordQuery(scope, id), enabled: isValidId });
  const { data, error, refetch } = query;
  const isMissing = !isValidId || (error instanceof ApiError && error.status === 404);
  return { id, isValidId, isMissing, query, record: isMissing ? undefined : data, reload: () => void refetch() };
}
export type StoredRecord = ReturnType<typeof useStoredRecord>;
