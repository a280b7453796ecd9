import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconId, IconLockOpen } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { CardHolder } from '#client/features/users/display/cards/use-card-batch.ts';
import type { CodeAccount } from '#client/features/users/display/recovery-code/use-recovery-code.ts';
import { showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import type { Recovery } from '#shared/api/recoveries.ts';
import { formatPhone } from '#shared/domain/users/phone.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { AccountFacts } from './account-facts.tsx';

const kindTexts: Record<Recovery['identifier_kind'], string> = {
  email: 'email',
  phone: 'nomor HP',
  card: 'kode kartu',
};

type Props = {
  request: Recovery;
  onMakeCode: (account: CodeAccount) => void;
  onMakeCard: (holder: CardHolder) => void;
  onPutAway: () => void;
};

/** One request: which accounts it may be, and what the office knows of each. */
export function RecoveryCard({ request, onMakeCode, onMakeCard, onPutAway }: Props) {
  const { users, identifier_kind: kind, created_at: createdAt, last_seen_at: lastSeenAt } = request;
  const times =
    createdAt === lastSeenAt
      ? showDateTime(createdAt)
      : `${showDateTime(createdAt)}, terakhir ${showDateTime(lastSeenAt)}`;
  return (
    <Paper component="li" withBorder radius="md" p="md" data-row>
      <Stack gap="md">
        <Group justify="space-between" gap="0.5rem 1rem">
          <Text fz="sm" c="dimmed">
            Minta dengan {kindTexts[kind]}, {times}
          </Text>
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            mx="-xs"
            onClick={onPutAway}
            aria-label={`Singkirkan permintaan ${users.map(({ name }) => name).join(', ')}`}
          >
            Singkirkan
          </Button>
        </Group>
        {users.length > 1 ? (
          <Text fw={600}>Nomor HP ini dipakai {users.length} akun. Tanyakan akun siapa yang dimaksud.</Text>
        ) : null}
        {users.map((user) => (
          <Stack key={user.id} component="section" gap="xs" aria-label={user.name}>
            <Title order={2} fz="lg">
              <Anchor component={Link} to={paths.adminUser(user.id)} inherit style={{ overflowWrap: 'anywhere' }}>
                {user.name}
              </Anchor>
            </Title>
            <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {emailText(user.email)}
              {user.phone === null ? null : (
                <>
                  {' · '}
                  <span style={{ whiteSpace: 'nowrap' }}>{formatPhone(user.phone)}</span>
                </>
              )}
            </Text>
            <AccountFacts userId={user.id} hasPhone={user.phone !== null} />
            {user.way_made_at === null ? null : (
              <Text fw={600}>
                {user.has_email ? 'Kode sudah dibuat' : 'Kartu sudah dibuat'} {showDateTime(user.way_made_at)},{' '}
                {user.has_email ? 'belum dipakai' : 'belum diaktifkan'}. Yang baru mengakhirinya.
              </Text>
            )}
            {user.has_email ? (
              <Button
                w="fit-content"
                variant={user.way_made_at === null ? 'filled' : 'default'}
                leftSection={<IconLockOpen size={18} aria-hidden />}
                aria-label={`Buat kode untuk ${user.name}`}
                onClick={() => onMakeCode(user)}
              >
                Buat kode
              </Button>
            ) : (
              <Button
                w="fit-content"
                variant={user.way_made_at === null ? 'filled' : 'default'}
                leftSection={<IconId size={18} aria-hidden />}
                aria-label={`Buat kartu baru untuk ${user.name}`}
                onClick={() => onMakeCard(user)}
              >
                Buat kartu baru
              </Button>
            )}
          </Stack>
        ))}
      </Stack>
    </Paper>
  );
}
