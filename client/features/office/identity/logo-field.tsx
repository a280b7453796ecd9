import { Button, Group, Input, Loader, Text } from '@mantine/core';
import { IconPhotoPlus, IconTrash } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { DropTarget } from '#client/ui/fields/drop-target.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { removeLogo, sendLogo } from '../api.ts';
import classes from './logo-field.module.css';
import { decodeImage } from '#client/lib/images/decode-image.ts';
import { shrinkDecoded } from '#client/lib/images/shrink-decoded.ts';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';

type Props = { logoUrl: string | null; onStored: (identity: OfficeIdentity) => Promise<void> };

/** The logo, stored as soon as it is chosen. */
export function LogoField({ logoUrl, onStored }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const { submit, busy } = useSubmit(async (act: () => Promise<void>, fallback: string) => {
    setFailure(null);
    try {
      await act();
    } catch (error) {
      setFailure(failureOf(error, fallback));
    }
  });

  function store(file: File | undefined): void {
    if (!file) return;
    void submit(async () => {
      await onStored(await sendLogo(await shrinkLogo(file)));
      notify.success('Logo berhasil disimpan');
    }, 'Gagal menyimpan logo');
  }

  async function remove(): Promise<void> {
    const isConfirmed = await confirm({
      title: 'Hapus logo',
      message: 'Logo tidak lagi tampil di layar dan kertas. Hapus logo kantor?',
      confirmLabel: 'Hapus logo',
      danger: true,
    });
    if (!isConfirmed) return;
    await submit(async () => {
      await onStored(await removeLogo());
      notify.success('Logo berhasil dihapus');
      input.current?.focus();
    }, 'Gagal menghapus logo');
  }

  return (
    <FormSection title="Logo" text="Tampil saat masuk dan daftar, dan di kertas.">
      <DropTarget onFile={store} className={classes['box']}>
        <Input.Wrapper
          id={id}
          label="Gambar logo"
          description="JPG, PNG, atau GIF. Maksimal 1MB"
          descriptionProps={{ id: `${id}-description` }}
        >
          <input
            ref={input}
            id={id}
            type="file"
            accept="image/png,image/jpeg,image/gif"
            className={classes['input']}
            aria-describedby={`${id}-description`}
            disabled={busy}
            onChange={(event) => {
              store(event.currentTarget.files?.[0]);
              // Without this, picking the same file again would cause no event.
              event.currentTarget.value = '';
            }}
          />
          {logoUrl === null ? null : (
            <img src={uploadedFileUrl(logoUrl)} alt="Logo kantor saat ini" className={classes['logo']} />
          )}
          <Group gap="sm" mt="sm">
            <Button
              variant="default"
              leftSection={busy ? <Loader size={16} aria-hidden /> : <IconPhotoPlus size={18} aria-hidden />}
              aria-disabled={busy || undefined}
              onClick={() => (busy ? undefined : input.current?.click())}
            >
              {busy ? 'Menyimpan...' : logoUrl === null ? 'Pilih logo' : 'Ganti logo'}
            </Button>
            {logoUrl === null || busy ? null : (
              <Button
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={18} aria-hidden />}
                aria-label="Hapus logo (Remove)"
                onClick={() => void remove()}
              >
                Hapus logo
              </Button>
            )}
          </Group>
        </Input.Wrapper>
        <Text component="output" className={classes['error'] ?? ''}>
          <FormFailure failure={failure} />
        </Text>
      </DropTarget>
    </FormSection>
  );
}

const SUPPORTED_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif']);

/** Makes a large logo smaller: the login page of every phone loads it. A file that cannot be read is left to the server. */
async function shrinkLogo(file: File): Promise<File> {
  try {
    const image = await decodeImage(file);
    try {
      return await shrinkDecoded(file, image, {
        longestSidePx: 800,
        qualities: [0.9],
        wantedBytes: 0,
        smallEnoughBytes: 200_000,
        supportedTypes: SUPPORTED_TYPES,
        fallbackName: 'logo',
      });
    } finally {
      image.close();
    }
  } catch {
    return file;
  }
}
