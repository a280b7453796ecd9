import { Card, Group, NativeSelect, Skeleton, Stack, Text, Title, Button } from '@mantine/core';
import { IconPrinter, IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, useRef } from 'react';
import { changeFirstStep } from '#client/features/first-steps/api.ts';
import { settingsSections } from '#client/paths.ts';
import { useHashTarget } from '#client/ui/page/use-hash-target.ts';
import { ActionButton } from '#client/ui/page/action-button.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { systemInfoQuery } from '#client/lib/api/system-info-query.ts';
import classes from '../settings.module.css';
import { usePrintSheet } from '#client/ui/print/print-sheet.tsx';
import { reachableAddresses } from '#client/lib/office/reachable-addresses.ts';
import { AddressPrintSheet } from './address-print-sheet.tsx';
import { copyText } from '#client/lib/browser/copy-text.ts';
import { qrCodeQuery } from '#client/lib/images/qr-code.ts';

/** The first step of a new office is done (R-OFFICE-13). A failed call leaves it open; pressing again is enough. */
const noteSheetPrinted = (): void => void changeFirstStep('qr_sheet', 'done').catch(() => undefined);

function AddressChoices({ choices, publicAddress }: { choices: readonly string[]; publicAddress: string | null }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const address = chosen !== null && choices.includes(chosen) ? chosen : (choices[0] ?? '');
  const { data: qrCodeUrl, isError } = useQuery(qrCodeQuery(address));
  const print = usePrintSheet();
  return (
    <Group gap="1.25rem 2rem" align="flex-start">
      <Stack gap="md" flex="1 1 18rem" miw={0}>
        <ul className={classes['rows']} aria-label="Alamat">
          {choices.map((choice) => (
            <CopyAddress key={choice} address={choice} />
          ))}
        </ul>
        {choices.length > 1 ? (
          <NativeSelect
            label="Alamat di kode QR dan lembar cetak"
            value={address}
            data={[...choices]}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        ) : null}
        <ActionButton
          icon={IconPrinter}
          disabledReason={qrCodeUrl || !isError ? null : 'Kode QR belum siap. Muat ulang halaman ini lalu coba lagi.'}
          busy={!qrCodeUrl && !isError}
          onPress={() => {
            noteSheetPrinted();
            print();
          }}
        >
          Cetak lembar untuk warga
        </ActionButton>
      </Stack>
      {qrCodeUrl ? <img src={qrCodeUrl} alt={`Kode QR untuk ${address}`} className={classes['qr']} /> : null}
      {qrCodeUrl || isError ? null : <Skeleton className={classes['qr'] ?? ''} radius="md" aria-hidden />}
      {qrCodeUrl ? (
        <AddressPrintSheet qrCodeUrl={qrCodeUrl} address={address} isPublic={address === publicAddress} />
      ) : null}
    </Group>
  );
}

/** The addresses for other devices, with a QR code and a sheet to print (docs/requirements.md R-SYS-20). */
export function AddressCard() {
  const { data } = useQuery(systemInfoQuery);
  const heading = useHashTarget(settingsSections.addresses);
  if (!data) return null;
  const choices = reachableAddresses(data, window.location.origin);
  return (
    <Card component="section" aria-labelledby={settingsSections.addresses}>
      <Title order={2} id={settingsSections.addresses} ref={heading} tabIndex={-1} mb={4}>
        Buka dari perangkat lain
      </Title>
      {choices.length > 0 ? (
        <>
          <Text c="dimmed" mb="md">
            {data.public?.address
              ? 'Alamat pertama dapat dibuka dari mana saja; yang lain hanya di jaringan atau Wi-Fi kantor.'
              : 'Untuk HP dan komputer yang tersambung ke jaringan atau Wi-Fi kantor yang sama.'}
          </Text>
          <AddressChoices choices={choices} publicAddress={data.public?.address ?? null} />
        </>
      ) : (
        <FormAlert
          kind="info"
          message="Server ini hanya dapat dibuka di komputernya sendiri"
          hint="Sambungkan komputer server ke jaringan kantor, dan minta pengelola server membuka layanan ini untuk jaringan itu."
        />
      )}
    </Card>
  );
}

const resultTexts = {
  copied: 'Alamat disalin.',
  selected: 'Alamat sudah dipilih. Tekan Ctrl+C, atau tahan tulisannya lalu pilih Salin.',
} as const;

/** One address with a button that copies it. */
function CopyAddress({ address }: { address: string }) {
  const text = useRef<HTMLElement>(null);
  const [result, setResult] = useState<keyof typeof resultTexts | null>(null);
  const Icon = result === 'copied' ? IconCheck : IconCopy;

  async function copy(): Promise<void> {
    if (text.current) setResult(await copyText(text.current));
  }

  return (
    <li className={classes['row']}>
      <span ref={text} className={classes['address']}>
        {address}
      </span>
      <Button
        variant="default"
        aria-label={`Salin ${address}`}
        leftSection={<Icon size={18} aria-hidden />}
        onClick={() => void copy()}
      >
        Salin
      </Button>
      <Text component="output" flex="0 0 100%" fz="sm" c="dimmed">
        {result ? resultTexts[result] : ''}
      </Text>
    </li>
  );
}
