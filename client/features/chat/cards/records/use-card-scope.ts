import { useSession } from '#client/lib/session.ts';
import type { CardScope } from './card-record.ts';

/** The calls of whoever is signed in. */
export const useCardScope = (): CardScope => (useSession()?.user?.is_admin ? 'admin' : 'own');
