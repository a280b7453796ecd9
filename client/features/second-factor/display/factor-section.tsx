import { Button, List, Modal, Stack, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldLock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { OwnAccount } from '#shared/api/auth.ts';
import { FACTOR_CODES } from '#shared/limits.ts';
import { EndFactorDialog } from './end-factor-dialog.tsx';
import { FactorSetUp, type SetUpState } from './factor-set-up.tsx';
import { LEAVE_CODES_QUESTION } from './spare-codes-view.tsx';

/** So few are left that it is time for new ones. */
const FEW_CODES = 3;

/** 'Kode kedua' of the own account: off, or on with its spare codes (docs/requirements.md R-ACCESS-38). */
export function FactorSection() {
  const queryClient = useQueryClient();
  const query = useQuery(ownUserQuery);
  const [openDialog, setOpenDialog] = useState<'set up' | 'end' | null>(null);

  function close(): void {
    setOpenDialog(null);
    // The account, its sessions and its log.
    void queryClient.invalidateQueries({ queryKey: ['auth'] });
  }

  return (
    <FormSection
      title="Kode kedua"
      text="Setiap kali masuk, Anda juga mengetik 6 angka dari aplikasi di HP Anda. Orang yang tahu password Anda tetap tidak dapat masuk tanpa HP itu."
    >
      <QueryView query={query} failedText="Gagal memuat akun" loading={{ text: 'Memuat akun…', rows: 1, height: 40 }}>
        {(user) => (
          <>
            {user.has_second_factor ? (
              <FactorOn user={user} onEnd={() => setOpenDialog('end')} />
            ) : (
              <FactorOff isAdmin={user.is_admin} onSetUp={() => setOpenDialog('set up')} />
            )}
            {openDialog === 'set up' ? <SetUpDialog user={user} onClose={close} /> : null}
            {openDialog === 'end' ? <EndFactorDialog user={user} onClose={close} /> : null}
          </>
        )}
      </QueryView>
    </FormSection>
  );
}

/** Advice for a user who has lost the phone and the spare codes. */
const lostText = (isAdmin: boolean): string =>
  isAdmin
    ? 'HP hilang? Masuk dengan kode cadangan. Tidak ada lagi? Minta administrator lain, atau orang yang mengurus komputer server.'
    : 'HP hilang? Masuk dengan kode cadangan. Tidak ada lagi? Datang ke loket dengan KTP Anda.';

function FactorOff({ isAdmin, onSetUp }: { isAdmin: boolean; onSetUp: () => void }) {
  return (
    <Stack gap="md" align="flex-start">
      <List spacing="xs">
        <List.Item>Perlu HP dengan aplikasi kode, misalnya Google Authenticator atau Aegis.</List.Item>
        <List.Item>Anda mendapat {FACTOR_CODES} kode cadangan untuk disimpan di kertas.</List.Item>
        <List.Item>{lostText(isAdmin)}</List.Item>
      </List>
      <Button leftSection={<IconShieldLock size={18} aria-hidden />} onClick={onSetUp}>
        Pasang kode kedua
      </Button>
    </Stack>
  );
}

function FactorOn({ user, onEnd }: { user: OwnAccount; onEnd: () => void }) {
  const left = user.recovery_codes_left;
  return (
    <Stack gap="md" align="flex-start">
      <div>
        <Text fw={600}>
          <IconShieldCheck size={18} aria-hidden style={{ verticalAlign: 'text-bottom' }} /> Terpasang
        </Text>
        <Text>
          Sisa {formatNumber(left)} dari {FACTOR_CODES} kode cadangan. {lostText(user.is_admin)}
        </Text>
      </div>
      {left <= FEW_CODES ? (
        <FormAlert
          kind="warning"
          message="Kode cadangan hampir habis."
          hint="Matikan kode kedua, lalu pasang lagi: Anda mendapat sepuluh kode baru."
        />
      ) : null}
      <Button variant="default" onClick={onEnd}>
        Matikan
      </Button>
    </Stack>
  );
}

type DialogProps = { user: OwnAccount; onClose: () => void };

function SetUpDialog({ user, onClose }: DialogProps) {
  const [state, setState] = useState<SetUpState>('idle');

  async function close(): Promise<void> {
    if (state === 'busy') return;
    if (state === 'idle' || (await confirm(LEAVE_CODES_QUESTION))) onClose();
  }

  return (
    <Modal
      opened
      onClose={() => void close()}
      title="Pasang kode kedua"
      size="lg"
      // A slip of the hand must not close a dialog whose codes are shown only once.
      closeOnEscape={state === 'idle'}
      closeOnClickOutside={false}
    >
      <FactorSetUp
        user={user}
        cancelButton={
          <Button variant="default" onClick={onClose} disabled={state === 'busy'}>
            Batal
          </Button>
        }
        onState={setState}
        onDone={() => {
          onClose();
          notify.success('Kode kedua terpasang');
        }}
      />
    </Modal>
  );
}
