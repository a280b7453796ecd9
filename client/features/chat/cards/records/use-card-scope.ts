import { useSession } from '#client/lib/session.ts';
import type { CardScope } from './card-record.ts';

/** Which calls the signed-in account may use. */
export const useCardScope = (): CardScope => (useSession()?.user?.is_admin ? 'admin' : 'own');
