import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconChecklist, IconFileDescription, IconMessage } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { hasEmail } from '#shared/domain/users/no-email.ts';
import { MarkPaidButton } from '../display/mark-paid/mark-paid-button.tsx';
import { RecordDetailPage, type RenderAudit } from '../pages/record-detail-page.tsx';
import { scopeTexts } from '../pages/scope-texts.ts';
import { useStoredRecord } from '../pages/use-stored-record.ts';
import { recordHeading } from '../display/record-labels.ts';
import { needsDecision } from '../display/verification/verification-text.ts';

/** /admin/tax-records/{id} (R-REC-23). */
export function AdminRecordDetail({ renderAudit }: { renderAudit: RenderAudit }) {
  const stored = useStoredRecord('admin');
  const { record, isMissing } = stored;
  const title = isMissing ? scopeTexts.admin.missingTitle : 'Detail Data Pajak';
  const subject = record ? recordHeading(record) : undefined;
  usePageTitle(subject ?? title);
  const isReported = record !== undefined && needsDecision(record);
  const isUnpaid = record !== undefined && record.status !== 'lunas';
  return (
    <RecordDetailPage
      scope="admin"
      stored={stored}
      renderAudit={renderAudit}
      title={title}
      subject={subject}
      description={record ? `${record.name} · ${formatSptNumber(record.spt_number)}` : undefined}
      primaryAction={
        // A user's report is compared before anything is marked.
        isReported || isUnpaid ? (
          <>
            {isReported ? <CheckButton record={record} /> : null}
            {isUnpaid ? <MarkPaidButton record={record} size="page" isSecond={isReported} /> : null}
          </>
        ) : undefined
      }
      statusAction={record && !isReported ? <CheckButton record={record} /> : undefined}
      owner={record ? <OwnerCard owner={record.user} /> : undefined}
    />
  );
}

/** Opens the record in 'Bukti masuk'; nothing if no payment was reported. */
function CheckButton({ record }: { record: TaxRecord }) {
  if (record.verification.state === 'none') return null;
  const isOpen = needsDecision(record);
  return (
    <Button
      component={Link}
      to={paths.adminInboundRecord(record.id)}
      variant={isOpen ? 'filled' : 'light'}
      leftSection={<IconChecklist size={18} aria-hidden />}
    >
      {isOpen ? 'Cocokkan' : 'Lihat pencocokan'}
    </Button>
  );
}

/** The owner, with links to their page, their records and their chat. */
function OwnerCard({ owner }: { owner: TaxRecord['user'] }) {
  return (
    <Paper component="section" withBorder p="lg">
      <Title order={2} fz="h3" mb="sm">
        Pemilik
      </Title>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={paths.adminUser(owner.id)} inherit>
          {owner.name}
        </Anchor>
      </Text>
      {hasEmail(owner.email) ? (
        <Anchor href={`mailto:${owner.email}`} style={{ overflowWrap: 'anywhere' }}>
          {owner.email}
        </Anchor>
      ) : (
        <Text>{emailText(owner.email)}</Text>
      )}
      <Group gap="xs" mt="md" className="no-print">
        <Button
          component={Link}
          to={paths.adminRecordsWhere({ user_id: owner.id })}
          variant="light"
          px="sm"
          leftSection={<IconFileDescription size={18} aria-hidden />}
        >
          Semua datanya
        </Button>
        <Button
          component={Link}
          to={paths.adminConversation(owner.id)}
          variant="subtle"
          px="sm"
          leftSection={<IconMessage size={18} aria-hidden />}
        >
          Chat
        </Button>
      </Group>
    </Paper>
  );
}
