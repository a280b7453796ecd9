import type { UserAnswer } from '#shared/api/users.ts';

export type UserFormValues = Pick<UserAnswer, 'name' | 'email' | 'is_active' | 'is_admin'>;

export function userToFormValues({ name, email, is_active, is_admin }: UserAnswer): UserFormValues {
  return { name, email, is_active, is_admin };
}

const yesNo = (value: boolean) => (value ? 'ya' : 'tidak');

const fields = [
  { field: 'name', describe: ({ name }: UserFormValues) => `Nama: ${name}` },
  { field: 'email', describe: ({ email }: UserFormValues) => `Email: ${email}` },
  { field: 'is_active', describe: (values: UserFormValues) => `Pengguna Aktif: ${yesNo(values.is_active)}` },
  { field: 'is_admin', describe: (values: UserFormValues) => `Hak Akses Admin: ${yesNo(values.is_admin)}` },
] as const;

function comparable(values: UserFormValues, field: keyof UserFormValues): string | boolean {
  const value = values[field];
  return typeof value === 'string' ? value.trim() : value;
}

/**
 * Merges the edits of two admins. Fields edited here keep their input; the others get the stored values.
 * @param base the values with which this form began
 * @returns the merged values, and a text for each stored value that differs from them
 */
export function mergeUser(base: UserFormValues, typed: UserFormValues, stored: UserFormValues) {
  const wasEdited = (field: keyof UserFormValues) => comparable(typed, field) !== comparable(base, field);
  const values: UserFormValues = {
    name: wasEdited('name') ? typed.name : stored.name,
    email: wasEdited('email') ? typed.email : stored.email,
    is_active: wasEdited('is_active') ? typed.is_active : stored.is_active,
    is_admin: wasEdited('is_admin') ? typed.is_admin : stored.is_admin,
  };
  const differing = fields.filter(({ field }) => comparable(values, field) !== comparable(stored, field));
  return { values, storedTexts: differing.map(({ describe }) => describe(stored)) };
}
