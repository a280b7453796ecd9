import { Button, Text } from '@mantine/core';
import { IconKey, IconShieldOff } from '@tabler/icons-react';
import { useState } from 'react';
import { FormSection } from '#client/ui/form/form-section.tsx';
import type { AdminAccountAnswer } from '#shared/api/users.ts';
import { factorTexts } from '#shared/texts.ts';
import { useProtectionReason } from '../use-protection-reason.ts';
import { useRemoveFactor } from '../use-user-actions.tsx';
import { SetupCodeDialog } from './setup-code-dialog.tsx';

/** The second factor of an account that has one, or of an admin (docs/requirements.md R-ACCESS-39). */
export function FactorSection({ user }: { user: AdminAccountAnswer }) {
  const [isCodeOpen, setCodeOpen] = useState(false);
  const remove = useRemoveFactor();
  const isOwn = useProtectionReason()(user) !== null;
  if (!user.has_second_factor && !user.is_admin) return null;
  return (
    <FormSection title="Kode kedua" text="Kode dari aplikasi di HP, selain password atau PIN.">
      <Text>{user.has_second_factor ? 'Terpasang.' : 'Belum terpasang.'}</Text>
      {isOwn ? <Text c="dimmed">{factorTexts.own}.</Text> : null}
      {!isOwn && user.has_second_factor ? (
        <>
          <Text fz="sm" c="dimmed">
            Bila HP dan kode cadangannya hilang: hanya di loket.
          </Text>
          <Button
            variant="default"
            w="fit-content"
            className="no-print"
            leftSection={<IconShieldOff size={18} aria-hidden />}
            onClick={() => void remove(user)}
          >
            Hapus kode kedua
          </Button>
        </>
      ) : null}
      {isOwn || user.has_second_factor ? null : (
        <>
          <Button
            variant="default"
            w="fit-content"
            className="no-print"
            leftSection={<IconKey size={18} aria-hidden />}
            onClick={() => setCodeOpen(true)}
          >
            Buat kode pemasangan
          </Button>
          <Text fz="sm" c="dimmed">
            Diketik orang ini saat memasang, bila kantor mewajibkan kode kedua.
          </Text>
        </>
      )}
      {isCodeOpen ? <SetupCodeDialog user={user} onClose={() => setCodeOpen(false)} /> : null}
    </FormSection>
  );
}
