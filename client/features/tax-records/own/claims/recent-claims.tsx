import { Anchor, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { OwnClaim } from '#shared/api/dhkp/claims.ts';
import { DAY_MS } from '#shared/durations.ts';
import { ownClaimsQuery } from './api.ts';
import { OwnClaims } from './own-claims.tsx';

/** An answer is news for a week. */
const NEWS_MS = 7 * DAY_MS;

const isRecent = ({ state, updated_at }: OwnClaim): boolean =>
  state === 'open' || Date.now() - Date.parse(updated_at) < NEWS_MS;

/** The requests that wait and those that were answered lately, above the own records; nothing while there are none. */
export function RecentClaims() {
  const { data } = useQuery(ownClaimsQuery);
  const recent = data?.data.filter(isRecent) ?? [];
  if (recent.length === 0) return null;
  return (
    <Paper component="section" withBorder p="md" mb="md" className="no-print" aria-label="Permintaan ke kantor">
      <Group justify="space-between" gap="0 1rem" mb="xs">
        <Text fw={600}>Permintaan ke kantor</Text>
        <Anchor component={Link} to={paths.recordClaims} className="link-target">
          Semua permintaan
        </Anchor>
      </Group>
      <OwnClaims claims={recent} />
    </Paper>
  );
}
