import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconId, IconUnlink } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AssistedRequest } from '#client/features/users/display/assisted/assisted-dialog.tsx';
import { paths } from '#client/paths.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { reloadList, unlinkObject } from '../api.ts';
import { assistedRequestOf, ObjectAssistedDialog } from '../list/object-assisted-dialog.tsx';
import { LinkForm } from './link-form.tsx';

type Props = { assessment: Assessment & { history: readonly Assessment[] } };

/** The account that the object is linked to, for all years, or the choice of one (R-DHKP-31, R-DHKP-32). */
export function ObjectAccount({ assessment }: Props) {
  const { account } = assessment;
  const [assisted, setAssisted] = useState<AssistedRequest | null>(null);
  return (
    <FormSection title="Akun" text="Berlaku untuk semua tahun NOP ini.">
      {account === null ? (
        <>
          <Group justify="space-between" gap="xs 1.5rem">
            <Text>Pemilik belum punya akun dan tanpa email?</Text>
            <Button
              variant="default"
              leftSection={<IconId size={18} aria-hidden />}
              onClick={() => setAssisted(assistedRequestOf(assessment))}
            >
              Buat akun warga
            </Button>
          </Group>
          <LinkForm assessment={assessment} />
        </>
      ) : (
        <LinkedAccount assessment={assessment} account={account} />
      )}
      <ObjectAssistedDialog request={assisted} onClose={() => setAssisted(null)} />
    </FormSection>
  );
}

type LinkedProps = { assessment: Assessment; account: NonNullable<Assessment['account']> };

function LinkedAccount({ assessment: { id, year, nop_text, record_id }, account }: LinkedProps) {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);

  const { submit: unlink, busy } = useSubmit(async () => {
    const isWanted = await confirm({
      title: 'Putuskan hubungan',
      message: `${nop_text} tidak lagi terhubung dengan ${account.name}. Data PBB yang sudah ada tetap pada akunnya.`,
      confirmLabel: 'Putuskan hubungan',
      danger: true,
    });
    if (!isWanted) return;
    setFailure(null);
    try {
      await unlinkObject(id);
      notify.success('Hubungan diputus. Data PBB-nya tetap ada.');
    } catch (error) {
      setFailure(failureOf(error, 'Hubungan gagal diputus'));
    }
    await reloadList(queryClient);
  });

  return (
    <>
      <FormFailure failure={failure} />
      <Group justify="space-between" gap="xs 1.5rem">
        <Group gap="0.25rem 1.5rem">
          <Anchor component={Link} to={paths.adminUser(account.id)} fw={600} style={{ overflowWrap: 'anywhere' }}>
            {account.name}
          </Anchor>
          {record_id === null ? (
            <Text c="dimmed">Tanpa data PBB {year}</Text>
          ) : (
            <Anchor component={Link} to={paths.adminRecord(record_id)}>
              Data PBB {year}
            </Anchor>
          )}
        </Group>
        <Button
          variant="default"
          leftSection={<IconUnlink size={18} aria-hidden />}
          aria-busy={busy}
          onClick={() => void unlink()}
        >
          Putuskan hubungan
        </Button>
      </Group>
    </>
  );
}
