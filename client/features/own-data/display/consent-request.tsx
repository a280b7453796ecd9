import { Button, Group, Paper, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { api } from '#client/lib/api/api.ts';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { paths } from '#client/paths.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { ConsentDue } from '#shared/api/own-data.ts';
import { LegalTextLinks } from './legal-text-links.tsx';

/** Storage of the tab, which a sign-out empties. */
const LATER_KEY = 'pbb-consent-later';

function isPutOff(): boolean {
  try {
    return window.sessionStorage.getItem(LATER_KEY) !== null;
  } catch {
    return false;
  }
}

function putOff(): void {
  try {
    window.sessionStorage.setItem(LATER_KEY, 'yes');
  } catch {
    // Without a storage it comes again with the next page load.
  }
}

/**
 * Asks for the texts that the account has not accepted, on the start page alone, where no form can be in the way. Nothing waits
 * for the answer (docs/requirements.md R-ACCESS-83).
 */
export function ConsentRequest({ due }: { due: readonly ConsentDue[] }) {
  const queryClient = useQueryClient();
  const [isLater, setIsLater] = useState(isPutOff);
  const { pathname } = useLocation();
  const { submit, busy } = useSubmit(async () => {
    try {
      for (const text of due) await api.post('/auth/consents', { body: text });
      notify.success('Terima kasih, persetujuan Anda disimpan');
    } catch (error) {
      notify.failure(error, 'Gagal menyimpan');
    }
    await queryClient.refetchQueries({ queryKey: ownUserQuery.queryKey });
  });
  if (isLater || pathname !== paths.dashboard) return null;
  return (
    <Paper component="section" withBorder p="md" mb="md" className="no-print" aria-label="Syarat dan privasi">
      <Text fw={600}>
        {due.length > 1 ? 'Apakah Anda setuju dengan dua teks ini?' : 'Apakah Anda setuju dengan teks ini?'}
      </Text>
      <Text fz="sm" c="dimmed">
        Teks ini baru atau berubah. Semua tetap dapat Anda pakai, juga tanpa menjawab.
      </Text>
      <LegalTextLinks documents={due.map(({ document }) => document)} />
      <Group gap="sm" mt="xs">
        <Button variant="light" loading={busy} onClick={() => void submit()}>
          Setuju
        </Button>
        <Button
          variant="default"
          onClick={() => {
            putOff();
            setIsLater(true);
          }}
        >
          Nanti
        </Button>
      </Group>
    </Paper>
  );
}
