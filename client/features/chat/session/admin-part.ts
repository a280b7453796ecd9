import { counts, listPages, summaries } from '../effects/lists.ts';
import { updateAdmin } from '../state/admin-update.ts';
import type { AdminPart } from './chat-session.ts';
import { provideAdminPart } from './use-chat.ts';

/** The list of an admin; imported by the screens of admins, before their chat begins. */
export const adminPart: AdminPart = { update: updateAdmin, effects: { listPages, counts, summaries } };
provideAdminPart(adminPart);
