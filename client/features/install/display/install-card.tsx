import { Button, Text } from '@mantine/core';
import { IconDeviceMobileShare } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { isInstalledApp } from '#client/lib/display-mode.ts';
import { askToInstall, installStateAtom } from '../install-prompt.ts';
import { InstallSteps } from './install-steps.tsx';
import { NEEDS_HTTPS } from './install-texts.ts';

const TITLE = 'Aplikasi di perangkat ini';
const TEXT = 'Dengan ikon di layar utama, PBB Kita terbuka tanpa bilah alamat, juga saat jaringan lemah.';

function Installed() {
  return (
    <Text>
      {isInstalledApp()
        ? 'PBB Kita sudah terpasang; Anda sedang memakainya.'
        : 'PBB Kita sudah terpasang di perangkat ini. Buka dari layar utama atau daftar aplikasi.'}
    </Text>
  );
}

function InstallButton() {
  const { submit, busy } = useSubmit(async () => {
    await askToInstall();
  });
  return (
    <div>
      <Button
        leftSection={<IconDeviceMobileShare size={18} aria-hidden />}
        loading={busy}
        onClick={() => void submit()}
      >
        Pasang PBB Kita
      </Button>
    </div>
  );
}

/**
 * Where the app is installed from at any time: on the account page and in the admins' settings (R-PWA-33).
 * @param onPlainHttp what is shown where nothing can be installed: nothing, or for admins the reason
 */
export function InstallCard({ onPlainHttp }: { onPlainHttp: 'nothing' | 'reason' }) {
  const { prompt, installed } = useAtomValue(installStateAtom);
  if (!window.isSecureContext) {
    return onPlainHttp === 'reason' ? <FormSection title={TITLE} text={NEEDS_HTTPS} /> : null;
  }
  return (
    <FormSection title={TITLE} text={TEXT}>
      {installed !== 'no' ? <Installed /> : prompt ? <InstallButton /> : <InstallSteps />}
    </FormSection>
  );
}
