import { Box, Stack } from '@mantine/core';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { InstallCard } from '#client/features/install/display/install-card.tsx';
import { useSession } from '#client/lib/session/session.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { EmailSection } from './components/email-form.tsx';
import { OwnDataSection } from '#client/features/own-data/display/own-data-section.tsx';
import { FactorSection } from '#client/features/second-factor/display/factor-section.tsx';
import { ErasureSection } from './erasure/erasure-section.tsx';
import { NameForm } from './components/name-form.tsx';
import { NotificationSection } from './components/notification-section.tsx';
import { PasswordSection } from './components/password-form.tsx';
import { PhoneSection } from './components/phone-form.tsx';
import { SecurityLog } from './components/security-log.tsx';
import { SessionList } from './components/session-list.tsx';

/** /account and /admin/account: own name, password, number, sessions, log, data and deletion (docs/requirements.md R-UI-14). */
export function AccountPage() {
  usePageTitle('Akun Saya');
  const user = useSession()?.user;
  return (
    <Box maw="60rem">
      <PageHeader title="Akun Saya" description="Nama, email, password, nomor HP, perangkat, dan salinan data Anda." />
      {user ? (
        <Stack gap="md">
          <NameForm user={user} />
          {user.is_admin ? null : <NotificationSection />}
          <InstallCard onPlainHttp="nothing" />
          <EmailSection />
          <PasswordSection />
          <FactorSection />
          <PhoneSection />
          <SessionList />
          <SecurityLog />
          <OwnDataSection />
          <ErasureSection />
        </Stack>
      ) : null}
    </Box>
  );
}
