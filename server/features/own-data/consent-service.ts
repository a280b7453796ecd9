import { type ConsentBody, ownDataTexts } from '#shared/api/own-data.ts';
import { legalVersions } from '#shared/legal-versions.ts';
import { insertConsent } from '#server/consents/consent-queries.ts';
import { invalid } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** The consents that an account gives after its registration (R-ACCESS-82). */
export function createConsentService({ policy, write, now }: Pick<ServiceContext, 'policy' | 'write' | 'now'>) {
  return {
    /** @throws 401, 403, 422 for a version that is not the present one: nobody accepts what the screen did not show */
    async accept(currentUser: CurrentUser, { document, version }: ConsentBody): Promise<void> {
      if (version !== legalVersions[document]) throw invalid('version', ownDataTexts.versionOld);
      await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        await insertConsent(tx, currentUser.id, { document, version }, now());
      });
    },
  };
}
