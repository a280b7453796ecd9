import { useQueryClient } from '@tanstack/react-query';
import { storeOfficeIdentity } from '#client/lib/office/office-identity.ts';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import { officeIdentityQuery } from '../api.ts';

/** Takes over what the server answered to a change, for the form and for every screen of this browser. */
export function useKnownIdentity(): (identity: OfficeIdentity) => Promise<void> {
  const queryClient = useQueryClient();
  return async (identity) => {
    // A load that is under way may have read the identity before this change.
    await queryClient.cancelQueries({ queryKey: officeIdentityQuery.queryKey });
    queryClient.setQueryData(officeIdentityQuery.queryKey, identity);
    storeOfficeIdentity(identity);
  };
}
