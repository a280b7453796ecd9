import { Anchor, Paper, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { publicOfficeQuery } from '#client/features/office/api.ts';
import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { publicHoursTexts } from '#client/features/office/display/office-text.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { askRecoveryBody } from '#shared/api/auth.ts';
import { IDENTIFIER_MAX } from '#shared/limits.ts';
import { accessTexts } from '#shared/texts.ts';
import { askRecovery } from '../api.ts';

const validate = schemaResolver(askRecoveryBody, { sync: true });

/** A password or a PIN that its owner has forgotten, and the words for asking the office. */
const kinds = {
  password: {
    title: 'Lupa password',
    what: 'Minta kode masuk kepada kantor. Dengan kode itu Anda memilih password baru sendiri.',
    ask: 'Minta kode',
  },
  card: {
    title: 'Lupa PIN',
    what: 'Minta kartu baru kepada kantor. Dengan kartu itu Anda memilih PIN baru sendiri; kartu lama tidak berlaku lagi.',
    ask: 'Minta kartu baru',
  },
} as const;

type Props = {
  kind: keyof typeof kinds;
  /** The e-mail address or the code of the card that was typed to enter. */
  identifier: string;
};

/** Asks the office for help after a forgotten password or PIN, and says what comes next (R-AUTH-26, R-ACCESS-50). */
export function PasswordHelp({ kind, identifier: typed }: Props) {
  const { title, what, ask } = kinds[kind];
  const region = useRef<HTMLDivElement>(null);
  const [isAsked, setIsAsked] = useState(false);
  const { data } = useQuery(publicOfficeQuery);
  const [openedAt] = useState(() => Date.now());
  const { form, failure, busy, onSubmit } = useSentForm({
    initialValues: { identifier: typed },
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
    <Paper ref={region} component="section" tabIndex={-1} aria-label={title} withBorder p="md" my="sm">
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
          <form noValidate onSubmit={onSubmit} aria-label={ask}>
            <Stack gap="sm">
              <Text>{what}</Text>
              <IdentifierField {...form.getInputProps('identifier')} />
              <FormFailure failure={failure} />
              <SaveButton busy={busy} busyLabel="Mengirim..." fullWidth>
                {ask}
              </SaveButton>
            </Stack>
          </form>
        )}
        <OfficeContact />
        {data ? publicHoursTexts(data, openedAt, SERVER_TIME_ZONE).map((text) => <Text key={text}>{text}</Text>) : null}
        {kind === 'password' ? (
          <Anchor component={Link} to={paths.recover} fw={600} className="link-target" w="fit-content">
            Sudah punya kode?
          </Anchor>
        ) : null}
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
        {kind === 'password' ? (
          <Text fz="sm" c="dimmed">
            Anda admin? Minta admin lain, atau orang yang mengurus komputer server.
          </Text>
        ) : null}
      </Stack>
    </Paper>
  );
}

function IdentifierField(inputProps: TextInputProps) {
  const field = useRef<HTMLInputElement>(null);
  // Ready to type: asking takes two presses.
  useEffect(() => field.current?.focus(), []);
  return (
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
  );
}
