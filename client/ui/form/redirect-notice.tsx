import { Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { notify } from '../feedback/notify.tsx';
import { REDIRECT_AFTER_LOAD_ERROR_MS } from '#shared/limits.ts';
import { useDelayedRedirect } from './use-delayed-redirect.ts';

/** Says why there is nothing to edit, then goes back to the list (docs/requirements.md R-REC-18, R-UI-11). */
export function RedirectNotice({ to, title, toast }: { to: string; title: string; toast: string }) {
  useEffect(() => notify.error(toast), [toast]);
  useDelayedRedirect(to, REDIRECT_AFTER_LOAD_ERROR_MS);
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center">
        <Title order={1} fz="h2" tabIndex={-1}>
          {title}
        </Title>
        <Text c="dimmed">Anda akan dibawa kembali ke daftar.</Text>
        <Loader size="sm" aria-hidden />
      </Stack>
    </Paper>
  );
}
