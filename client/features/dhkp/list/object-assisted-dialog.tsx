import { useQueryClient } from '@tanstack/react-query';
import { AssistedDialog, type AssistedRequest } from '#client/features/users/display/assisted/assisted-dialog.tsx';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { reloadList } from '../api.ts';

export const assistedRequestOf = ({ id, name, nop_text, object_address }: Assessment): AssistedRequest => ({
  name: name ?? '',
  objects: [{ id, text: [nop_text, object_address].filter(Boolean).join(' · ') }],
});

/** Makes an account without an e-mail address for the owner of an object. */
export function ObjectAssistedDialog({ request, onClose }: { request: AssistedRequest | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  return <AssistedDialog request={request} onCreated={() => reloadList(queryClient)} onClose={onClose} />;
}
