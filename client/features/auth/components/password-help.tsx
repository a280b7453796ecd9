import { Anchor, Paper, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { publicOfficeQuery } from '#client/features/office/api.ts';
import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { publicHoursTexts } from '#client/features/office/display/office-text.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { type Failure, FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { askRecoveryBody } from '#shared/api/auth.ts';
import { IDENTIFIER_MAX } from '#shared/limits.ts';
import { accessTexts } from '#shared/texts.ts';
import { askRecovery } from '../api.ts';

const validate = schemaResolver(askRecoveryBody, { sync: true });

type Props = {
  /** The address that was typed for the login. */
  email: string;
};

/** Asks the office for a code after a forgotten password, and says what comes next (docs/requirements.md R-AUTH-26). */
export function PasswordHelp({ email }: Props) {
  const region = useRef<HTMLDivElement>(null);
  const [isAsked, setIsAsked] = useState(false);
  const { data } = useQuery(publicOfficeQuery);
  const [openedAt] = useState(() => Date.now());
  const { form, failure, busy, onSubmit } = useSentForm({
    initialValues: { identifier: email },
    validate,
    save: async ({ identifier }) => {
      await askRecovery(identifier);
      setIsAsked(true);
    },
    fallbackErrorText: 'Permintaan belum terkirim',
  });
  // A screen reader reads the answer, and on a phone it comes into view.
  useEffect(() => {
    if (isAsked) region.current?.focus();
  }, [isAsked]);
  return (
    <Paper ref={region} component="section" tabIndex={-1} aria-label="Lupa password" withBorder p="md" my="sm">
      <Stack gap="sm">
        {isAsked ? (
          <>
            <Text fw={600}>{accessTexts.asked}</Text>
            <Text>
              Tidak ada email atau SMS otomatis. Ingin lebih cepat? <b>Datang ke loket</b> dengan KTP Anda, atau{' '}
              <b>telepon kantor</b>.
            </Text>
          </>
        ) : (
          <AskForm failure={failure} busy={busy} onSubmit={onSubmit} inputProps={form.getInputProps('identifier')} />
        )}
        <OfficeContact />
        {data ? publicHoursTexts(data, openedAt, SERVER_TIME_ZONE).map((text) => <Text key={text}>{text}</Text>) : null}
        <Anchor component={Link} to={paths.recover} fw={600} className="link-target" w="fit-content">
          Sudah punya kode?
        </Anchor>
        {isAsked ? (
          <Anchor
            component="button"
            type="button"
            className="link-target"
            w="fit-content"
            onClick={() => setIsAsked(false)}
          >
            Salah ketik? Minta lagi
          </Anchor>
        ) : null}
        <Text fz="sm" c="dimmed">
          Anda admin? Minta admin lain, atau orang yang mengurus komputer server.
        </Text>
      </Stack>
    </Paper>
  );
}

type FormProps = {
  failure: Failure | null;
  busy: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  inputProps: object;
};

function AskForm({ failure, busy, onSubmit, inputProps }: FormProps) {
  const field = useRef<HTMLInputElement>(null);
  // Ready to type: asking takes two presses.
  useEffect(() => field.current?.focus(), []);
  return (
    <form noValidate onSubmit={onSubmit} aria-label="Minta kode">
      <Stack gap="sm">
        <Text>Minta kode masuk kepada kantor. Dengan kode itu Anda memilih password baru sendiri.</Text>
        <TextInput
          ref={field}
          label="Email, nomor HP, atau kode kartu"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={IDENTIFIER_MAX}
          {...inputProps}
        />
        <FormFailure failure={failure} />
        <SaveButton busy={busy} busyLabel="Mengirim..." fullWidth>
          Minta kode
        </SaveButton>
      </Stack>
    </form>
  );
}
