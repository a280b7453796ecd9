import { Button, Text } from '@mantine/core';
import { IconDeviceMobileShare } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { isInstalledApp } from '#client/lib/browser/display-mode.ts';
import { askToInstall, installStateAtom } from '../install-prompt.ts';
import { InstallSteps } from './install-steps.tsx';
import { NEEDS_HTTPS } from './install-texts.ts';

const TITLE = 'Aplikasi di perangkat ini';
const TEXT = 'Dengan ikon di layar utama, PBB Kita terbuka tanpa bilah alamat, juga saat jaringan lemah.';

const installedTexts = {
  soon: 'PBB Kita sedang dipasang. Ikonnya segera ada di layar utama.',
  now: 'PBB Kita sudah terpasang di perangkat ini. Buka dari layar utama atau daftar aplikasi.',
  used: 'PBB Kita sudah terpasang; Anda sedang memakainya.',
};

function InstallButton() {
  const { submit, busy } = useSubmit(async () => {
    await askToInstall();
  });
  return (
    <Button leftSection={<IconDeviceMobileShare size={18} aria-hidden />} loading={busy} onClick={() => void submit()}>
      Pasang PBB Kita
    </Button>
  );
}

/**
 * The card on the account page and in the admins' settings from which the app can be installed at any time (R-PWA-33).
 * @param onPlainHttp the content where the app cannot be installed: nothing, or for admins the reason
 */
export function InstallCard({ onPlainHttp }: { onPlainHttp: 'nothing' | 'reason' }) {
  const { prompt, installed } = useAtomValue(installStateAtom);
  if (!window.isSecureContext) {
    return onPlainHttp === 'reason' ? <FormSection title={TITLE} text={NEEDS_HTTPS} /> : null;
  }
  const text = installedTexts[isInstalledApp() ? 'used' : installed === 'soon' ? 'soon' : 'now'];
  return (
    <FormSection title={TITLE} text={TEXT}>
      <div>
        {/* Stays where it is, so that a screen reader announces the change. */}
        <Text component="output">{installed === 'no' ? '' : text}</Text>
        {installed !== 'no' ? null : prompt ? <InstallButton /> : <InstallSteps />}
      </div>
    </FormSection>
  );
}
