import { Paper, Title } from '@mantine/core';
import { showDate, showDateTime } from '#client/lib/format.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { QuotaUseLine } from '../edit/quota-use.tsx';
import classes from './account-section.module.css';

/** The rights of an account, its times and the use of its quota. */
export function AccountSection({ user }: { user: UserAnswer }) {
  const facts = [
    { label: 'Peran', value: user.is_admin ? 'Admin' : 'User' },
    { label: 'Status', value: user.is_active ? 'Aktif, dapat masuk' : 'Nonaktif, tidak dapat masuk' },
    { label: 'Terdaftar', value: showDate(user.created_at) },
    { label: 'Akun diperbarui', value: showDateTime(user.updated_at) },
  ];
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="akun">
      <Title order={2} fz="h3" mb="sm" id="akun">
        Akun
      </Title>
      <dl className={classes['facts']}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <QuotaUseLine userId={user.id} />
    </Paper>
  );
}
