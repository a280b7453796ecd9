import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { FormSection } from '#client/ui/form/form-section.tsx';
import type { ClaimOfObject } from '#shared/api/dhkp/assessments.ts';
import { ClaimAnswer } from '../display/claim-answer.tsx';

/** The requests of users for an object, newest first; nothing without any. */
export function ObjectClaims({ claims }: { claims: readonly ClaimOfObject[] }) {
  if (claims.length === 0) return null;
  return (
    <FormSection title="Permintaan warga">
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {claims.map((claim) => (
          <li key={claim.id}>
            <Group gap="0 0.75rem" align="baseline">
              <Anchor
                component={Link}
                to={paths.adminUser(claim.user.id)}
                fw={600}
                style={{ overflowWrap: 'anywhere' }}
              >
                {claim.user.name}
              </Anchor>
              <Text fz="sm" c="dimmed">
                {showDateTime(claim.created_at)}
              </Text>
            </Group>
            {claim.note === null ? null : (
              <Text fz="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
                {claim.note}
              </Text>
            )}
            {claim.state === 'open' ? (
              <Anchor component={Link} to={paths.adminClaims()} fz="sm">
                Menunggu jawaban
              </Anchor>
            ) : (
              <ClaimAnswer claim={claim} />
            )}
          </li>
        ))}
      </Stack>
    </FormSection>
  );
}
