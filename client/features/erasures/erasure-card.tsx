import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatNumber, showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import type { OpenErasure } from '#shared/api/erasures.ts';
import type { Decision } from './decision-dialog.tsx';

type Props = {
  request: OpenErasure;
  /** When the request was read. */
  atMs: number;
  isOwn: boolean;
  onDecide: (decision: Decision) => void;
};

/** The office may want to speak with the person about these first. */
function leftTexts({ records, unpaid, open_claims: claims }: OpenErasure): string[] {
  return [
    `${formatNumber(records)} data PBB`,
    ...(unpaid > 0 ? [`${formatNumber(unpaid)} belum terbayar`] : []),
    ...(claims > 0 ? [`${formatNumber(claims)} permintaan objek belum dijawab`] : []),
  ];
}

/** One request: whose, since when, until when, why, and what the account has. */
export function ErasureCard({ request, atMs, isOwn, onDecide }: Props) {
  const { user, reason, created_at: createdAt, due_at: dueAt } = request;
  const isLate = Date.parse(dueAt) <= atMs;
  return (
    <Paper component="li" withBorder radius="md" p="md" data-row>
      <Stack component="section" gap="xs" aria-label={user.name}>
        <Group justify="space-between" gap="0.25rem 1rem">
          <Title order={2} fz="lg">
            <Anchor component={Link} to={paths.adminUser(user.id)} inherit style={{ overflowWrap: 'anywhere' }}>
              {user.name}
            </Anchor>
          </Title>
          <Group gap="xs">
            {user.is_admin ? <Badge color="gray">Administrator</Badge> : null}
            {user.is_active ? null : <Badge color="gray">Nonaktif</Badge>}
            {isLate ? <Badge color="red">Tenggat lewat</Badge> : null}
          </Group>
        </Group>
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {user.has_email ? user.email : 'Tanpa email'}
        </Text>
        <Text fz="sm">
          Diminta {showDateTime(createdAt)}. <b>Tenggat {showDateTime(dueAt)}.</b>
        </Text>
        <Text fz="sm">{leftTexts(request).join(' · ')}</Text>
        <Text fz="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {reason === null ? 'Tanpa alasan.' : `Alasan: ${reason}`}
        </Text>
        {isOwn ? (
          <Text fz="sm" c="dimmed">
            Permintaan Anda sendiri diputuskan administrator lain.
          </Text>
        ) : (
          <Group gap="sm" mt="xs">
            <Button variant="default" aria-label={`Tolak permintaan ${user.name}`} onClick={() => onDecide('rejected')}>
              Tolak
            </Button>
            <Button color="red" aria-label={`Setujui permintaan ${user.name}`} onClick={() => onDecide('approved')}>
              Setujui
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
