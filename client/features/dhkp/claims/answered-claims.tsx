import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import list from '#client/ui/list/list.module.css';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import { ClaimAnswer } from '../display/claim-answer.tsx';

/** Requests with their answers, the newest first. */
export function AnsweredClaims({ claims }: { claims: readonly Claim[] }) {
  return (
    <ul className={list['cards']}>
      {claims.map((claim) => {
        const [newest] = claim.assessments;
        return (
          <Paper key={claim.id} component="li" withBorder radius="md" p="md">
            <Stack gap={4}>
              {newest ? (
                <Anchor component={Link} to={paths.adminDhkpObject(newest.id)} fw={600} className="tabular">
                  {claim.nop_text}
                </Anchor>
              ) : (
                <Text fw={600} className="tabular">
                  {claim.nop_text}
                </Text>
              )}
              <Anchor component={Link} to={paths.adminUser(claim.user.id)} fz="sm" py={3}>
                {claim.user.name}
              </Anchor>
              {claim.note === null ? null : (
                <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {claim.note}
                </Text>
              )}
              <ClaimAnswer claim={claim} />
            </Stack>
          </Paper>
        );
      })}
    </ul>
  );
}
