import { Anchor, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { onCodeOfAddress, takeCodeOfAddress } from '#client/lib/session/code-of-address.ts';
import { useEndedSession } from '#client/lib/session/session.ts';
import { paths } from '#client/paths.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { SuccessOverlay } from '#client/ui/feedback/success-overlay.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { cleanCode, CODE_LENGTHS, formatCode } from '#shared/domain/users/access-codes.ts';
import { CODE_TYPED_MAX } from '#shared/limits.ts';
import type { Entrance } from '../api.ts';
import { AuthShell } from '../components/auth-shell.tsx';
import { ForgottenLink } from '../components/forgotten-link.tsx';
import { SignedInNotice } from '../components/signed-in-notice.tsx';
import { useSignIn } from '../use-sign-in.tsx';
import { ActivateForm } from './activate-form.tsx';
import { EnterForm } from './enter-form.tsx';

/** The code of the address as the field shows it; '' without one. */
function readAddress(): string {
  const code = takeCodeOfAddress() ?? '';
  return cleanCode(code).length === CODE_LENGTHS.card ? formatCode(cleanCode(code)) : code.slice(0, CODE_TYPED_MAX);
}

/** /masuk: a card with its PIN, or the activation of a new one (docs/requirements.md R-ACCESS-50). */
export function CardPage() {
  const [isNew, setIsNew] = useState(false);
  const title = isNew ? 'Aktifkan kartu' : 'Masuk dengan kartu warga';
  usePageTitle(title);
  const [code, setCode] = useState(readAddress);
  useEffect(() => onCodeOfAddress(() => setCode(readAddress())), []);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const endedSession = useEndedSession();
  const { enter, signedIn, secondStep, endedStep } = useSignIn();

  /** A card is activated before the second step: from then on it needs its PIN. */
  async function onActivated(entrance: Entrance): Promise<void> {
    await enter(entrance);
    if ('ticket' in entrance) setIsNew(false);
  }

  if (secondStep) return secondStep;
  return (
    <AuthShell
      title={title}
      description={
        isNew
          ? 'Sekali saja: ketik kedua kode dari kantor, lalu pilih PIN Anda sendiri.'
          : 'Ketik kode kartu dan PIN Anda.'
      }
    >
      {signedIn ? <SuccessOverlay title="Login Berhasil!" text="Mohon tunggu sebentar..." /> : null}
      <Stack>
        {endedSession && !signedIn ? <FormAlert kind="warning" message={endedSession.message} /> : null}
        {endedStep ? <FormAlert kind="warning" message={endedStep} hint="Ketik kode kartu dan PIN Anda lagi." /> : null}
        <SignedInNotice hint="Setelah kartu dipakai, perangkat ini masuk ke akun pemilik kartu." />
        <Text>
          {isNew ? 'Sudah punya PIN?' : 'Kartu baru?'}{' '}
          <Anchor
            component="button"
            type="button"
            fw={600}
            className="link-target"
            aria-label={isNew ? 'Masuk dengan PIN' : 'Aktifkan kartu baru'}
            onClick={() => setIsNew(!isNew)}
          >
            {isNew ? 'Masuk' : 'Aktifkan'}
          </Anchor>
        </Text>
        {isNew ? (
          <ActivateForm code={code} isDone={signedIn} onEntered={onActivated} />
        ) : (
          <EnterForm code={code} isDone={signedIn} onCodeChange={setCode} onEntered={enter} />
        )}
      </Stack>
      {isNew ? null : <ForgottenLink kind="card" identifier={code} isOpen={isHelpOpen} onToggle={setHelpOpen} />}
      <Text mt="sm" ta="center">
        Punya email dan password?{' '}
        <Anchor component={Link} to={paths.login} fw={600} className="link-target">
          Ke halaman masuk
        </Anchor>
      </Text>
    </AuthShell>
  );
}
