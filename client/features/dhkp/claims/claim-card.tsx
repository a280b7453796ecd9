import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { type Failure, FormFailure } from '#client/ui/feedback/form-failure.tsx';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { ClaimAnswer } from '../display/claim-answer.tsx';
import { ClaimAttachment } from './claim-attachment.tsx';

type Props = {
  claim: Claim;
  /** Why the last answer was not stored. */
  refusal: Failure | null;
  onApprove: (assessmentId: string) => void;
  onReject: () => void;
  onReload: () => Promise<void>;
};

/** One request: who asks, with what, and what the list says about the object. */
export function ClaimCard({ claim, refusal, onApprove, onReject, onReload }: Props) {
  const headingId = useId();
  const [newest] = claim.assessments;
  const owner = newest?.account ?? null;
  const isFree = newest !== undefined && (owner === null || owner.id === claim.user.id);
  return (
    <Paper component="li" withBorder radius="md" p="md" data-row aria-labelledby={headingId}>
      <Stack gap="sm">
        <Group justify="space-between" align="baseline" gap="0 1rem">
          <Title order={2} id={headingId} fz="md" className="tabular">
            {claim.nop_text}
          </Title>
          <Text fz="sm" c="dimmed">
            {showDateTime(claim.created_at)}
          </Text>
        </Group>
        <Group gap="0.25rem 1rem">
          <Anchor component={Link} to={paths.adminUser(claim.user.id)} fw={600}>
            {claim.user.name}
          </Anchor>
          <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {emailText(claim.user.email)}
          </Text>
          <Anchor
            component={Link}
            to={paths.adminConversation(claim.user.id)}
            fz="sm"
            aria-label={`Buka percakapan dengan ${claim.user.name}`}
          >
            Buka percakapan
          </Anchor>
        </Group>
        {claim.note === null ? null : (
          <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{claim.note}</Text>
        )}
        {claim.attachment === null ? null : (
          <ClaimAttachment attachment={claim.attachment} sender={claim.user.name} onReload={onReload} />
        )}
        <ListedAssessments assessments={claim.assessments} />
        <FormFailure failure={refusal} />
        {claim.state === 'open' ? (
          <Group gap="sm">
            {isFree ? (
              <Button data-main aria-describedby={headingId} onClick={() => onApprove(newest.id)}>
                Setujui
              </Button>
            ) : null}
            <Button
              variant="default"
              data-main={isFree ? undefined : true}
              aria-describedby={headingId}
              onClick={onReject}
            >
              Tolak
            </Button>
            {owner !== null && !isFree ? (
              <Text fz="sm" c="dimmed" flex="1 1 16rem">
                Terhubung dengan akun lain. Bila pemohon yang benar, putuskan hubungannya di halaman objeknya dulu.
              </Text>
            ) : null}
          </Group>
        ) : (
          <ClaimAnswer claim={claim} />
        )}
      </Stack>
    </Paper>
  );
}

/** The years of the object, newest first, with the account that they belong to. */
function ListedAssessments({ assessments }: { assessments: readonly Assessment[] }) {
  if (assessments.length === 0)
    return (
      <Text fw={600} c="var(--mantine-color-error)">
        Tidak ada di daftar
      </Text>
    );
  return (
    <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
      {assessments.map(({ id, year, name, object_address, amount, account }) => (
        <Group key={id} component="li" gap="0 0.75rem" align="baseline">
          <Anchor component={Link} to={paths.adminDhkpObject(id)} fz="sm" fw={600} py={3}>
            Daftar {year}
          </Anchor>
          <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {[name ?? 'Tanpa nama', object_address].filter(Boolean).join(' · ')}
          </Text>
          <Text fz="sm">
            <Money amount={amount} />
          </Text>
          <Text fz="sm" c="dimmed">
            {account === null ? 'Belum terhubung' : `Terhubung dengan ${account.name}`}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
