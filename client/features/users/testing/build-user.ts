import type { UserAnswer } from '#shared/api/users.ts';

let userCount = 0;

/** An account in the server's format: an active user. */
export function buildUser(fields: Partial<UserAnswer> = {}): UserAnswer {
  userCount += 1;
  const id = fields.id ?? `0196f1f0-0000-7000-8000-${String(userCount).padStart(12, '0')}`;
  return {
    id,
    _id: id,
    name: `Warga ${userCount}`,
    email: `warga${userCount}@contoh.id`,
    has_email: true,
    is_admin: false,
    is_active: true,
    role: fields.is_admin ? 'admin' : 'user',
    created_at: '2025-02-03T04:05:06.000Z',
    createdAt: '2025-02-03T04:05:06.000Z',
    updated_at: '2025-03-04T05:06:07.000Z',
    updatedAt: '2025-03-04T05:06:07.000Z',
    ...fields,
  };
}
