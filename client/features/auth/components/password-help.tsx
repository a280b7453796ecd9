import { Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { publicOfficeQuery } from '#client/features/office/api.ts';
import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { publicHoursTexts } from '#client/features/office/display/office-text.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';

/** The steps after a forgotten password (docs/requirements.md R-AUTH-26). */
export function PasswordHelp() {
  const region = useRef<HTMLDivElement>(null);
  const { data } = useQuery(publicOfficeQuery);
  const [openedAt] = useState(() => Date.now());
  // A screen reader reads it, and on a phone it comes into view.
  useEffect(() => region.current?.focus(), []);
  return (
    <Paper ref={region} component="section" tabIndex={-1} aria-label="Lupa password" withBorder p="md" my="sm">
      <Stack gap="xs">
        <Text>
          Minta password baru kepada kantor: <b>datang ke loket</b> atau <b>telepon</b>, lalu sebutkan nama dan email
          akun Anda.
        </Text>
        <OfficeContact />
        {data ? publicHoursTexts(data, openedAt, SERVER_TIME_ZONE).map((text) => <Text key={text}>{text}</Text>) : null}
        <Text>Sesudah masuk, ganti password itu di Akun Saya. Password lama Anda tidak perlu diketahui siapa pun.</Text>
        <Text fz="sm" c="dimmed">
          Anda admin? Minta admin lain, atau orang yang mengurus komputer server.
        </Text>
      </Stack>
    </Paper>
  );
}
