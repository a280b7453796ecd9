import { hasEmail } from '#shared/domain/users/no-email.ts';
import type { UserChange } from '#shared/events.ts';
import type { Publish } from '../realtime/publish.ts';
import type { UserRow } from './user-queries.ts';

type ChangedUser = Pick<UserRow, 'id' | 'name' | 'email' | 'isAdmin' | 'isActive'>;

/** Tells the admins about a new, changed or deleted account; call it after the commit. */
export function publishUserChange(publish: Publish, change: UserChange['change'], changed: ChangedUser): void {
  const { id, name, email, isAdmin, isActive } = changed;
  publish.toAdmins('user:changed', {
    change,
    user: { id, name, email, has_email: hasEmail(email), is_admin: isAdmin, is_active: isActive },
  });
}
