import { Button, Center, Group, Input, Loader, Progress, Text } from '@mantine/core';
import { IconCamera, IconPhotoOff, IconPhotoPlus, IconTrash } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { isSupportedImageType, shrinkImage } from './shrink-image.ts';
import { PROOF_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { DropTarget } from '#client/ui/fields/drop-target.tsx';
import classes from './proof-field.module.css';

/** The choice in the form: a new image, removal of the stored one, or no change. */
export type ProofChange = { file: File | null; remove: boolean };
export const noProofChange: ProofChange = { file: null, remove: false };

type Props = {
  value: ProofChange;
  onChange: (value: ProofChange) => void;
  /** Picked before the field was shown. */
  initialFile?: File | null;
  /** The stored image of the record, when there is one; see `proofUrl`. */
  currentUrl?: string | null;
  /** Called with true while a photo is made smaller; the save button is disabled meanwhile. */
  onBusyChange?: (busy: boolean) => void;
  label?: string;
  /** The accessible name of the chosen image. */
  previewName?: string;
  /** A heading above the field says the same to the eye. */
  hideLabel?: boolean;
  error?: string | undefined;
  /** Said before an image is chosen or sent; an error of the image itself comes first. */
  notice?: string | null;
};

/** Picks a payment proof, with a preview: camera or gallery on phones, drag and drop on computers. Makes large photos smaller. */
export function ProofField({
  value,
  onChange,
  initialFile = null,
  currentUrl = null,
  onBusyChange,
  label = 'Bukti Pembayaran',
  previewName = 'Pratinjau bukti pembayaran',
  hideLabel = false,
  error,
  notice = null,
}: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // When a second image is picked while the first is made smaller, only the second counts.
  const latestSelection = useRef(0);
  const [shrinking, setShrinking] = useState(false);
  const [warning, setWarning] = useState<string | null>(null);

  function setBusy(busy: boolean) {
    setShrinking(busy);
    onBusyChange?.(busy);
  }

  async function selectFile(selectedFile: File | undefined) {
    if (!selectedFile) return;
    latestSelection.current += 1;
    const selection = latestSelection.current;
    setWarning(null);
    setBusy(true);
    const file = await shrinkImage(selectedFile);
    if (selection !== latestSelection.current) return;
    setBusy(false);
    if (!isSupportedImageType(file)) {
      setWarning(errorTexts.proofNotImage);
      return;
    }
    // Only a warning; the server decides (R-PROOF-2).
    if (file.size > PROOF_MAX_BYTES) setWarning(`${errorTexts.proofTooLarge}. Pilih gambar yang lebih kecil.`);
    onChange({ file, remove: false });
  }

  useEffect(() => {
    if (initialFile) void selectFile(initialFile);
    // Only once; a later choice is made in the field.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  function removeProof() {
    latestSelection.current += 1;
    setBusy(false);
    setWarning(null);
    // The first press drops the new image, so that the stored one shows again; the next press removes the stored one.
    onChange(value.file ? noProofChange : { file: null, remove: true });
    input.current?.focus();
  }

  const shownImage = value.file ?? (value.remove ? null : currentUrl);
  const message = warning ?? error ?? notice;

  return (
    <DropTarget onFile={(file) => void selectFile(file)} className={classes['box']}>
      <Input.Wrapper
        id={id}
        label={label}
        labelProps={hideLabel ? { className: classes['hiddenLabel'] } : {}}
        description={
          <>
            <span>JPG, PNG, GIF. Maksimal 5MB</span> · foto besar dikecilkan
          </>
        }
        error={message}
        descriptionProps={{ id: `${id}-description` }}
        errorProps={{ id: `${id}-error`, role: 'alert', mt: 'xs' }}
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/*"
          className={classes['input']}
          aria-describedby={`${id}-description${message ? ` ${id}-error` : ''}`}
          aria-invalid={message ? true : undefined}
          onChange={(event) => {
            void selectFile(event.currentTarget.files?.[0]);
            // Without this, picking the same file again would cause no event.
            event.currentTarget.value = '';
          }}
        />
        {shownImage !== null && !shrinking ? (
          <div className={classes['frame']}>
            <ProofImage
              source={shownImage}
              alt={value.file ? previewName : 'Bukti pembayaran saat ini'}
              className={classes['preview']}
            />
            <Group justify="center" gap="sm" mt="sm">
              <Button
                variant="default"
                leftSection={<IconCamera size={18} aria-hidden />}
                onClick={() => input.current?.click()}
              >
                Ganti foto
              </Button>
              <Button
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={18} aria-hidden />}
                aria-label="Hapus foto (Remove)"
                onClick={removeProof}
              >
                Hapus foto
              </Button>
            </Group>
          </div>
        ) : (
          <label htmlFor={id} className={classes['zone']}>
            {shrinking ? (
              <Group component="output" gap="xs">
                <Loader size="sm" aria-hidden />
                <Text>Mengecilkan foto…</Text>
              </Group>
            ) : (
              <>
                <IconPhotoPlus size={24} stroke={1.5} aria-hidden />
                <Text fw={600}>Pilih atau ambil foto</Text>
                <Text fz="sm" c="dimmed" visibleFrom="sm">
                  atau seret gambar ke sini
                </Text>
              </>
            )}
          </label>
        )}
      </Input.Wrapper>
    </DropTarget>
  );
}

type ImageProps = {
  /** A URL, or a file that is not sent yet. */
  source: string | File;
  alt: string;
  className?: string | undefined;
};

/** A payment proof. Instead of a broken image it shows a text (R-PROOF-10). */
function ProofImage({ source, alt, className }: ImageProps) {
  const [failed, setFailed] = useState<string | File | null>(null);
  const attach = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || typeof source === 'string') return undefined;
      const url = URL.createObjectURL(source);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [source],
  );

  if (failed === source) {
    return (
      <Center p="lg" style={{ gap: 'var(--mantine-spacing-xs)' }}>
        <IconPhotoOff size={20} aria-hidden />
        <Text c="dimmed">Gambar tidak dapat ditampilkan</Text>
      </Center>
    );
  }
  const src = typeof source === 'string' ? source : undefined;
  return <img ref={attach} src={src} alt={alt} className={className} onError={() => setFailed(source)} />;
}

/** The sent part of a photo. @param fraction from 0 to 1 */
export function UploadProgress({ fraction }: { fraction: number }) {
  const percent = Math.round(fraction * 100);
  return (
    <div>
      <Text fz="sm" mb={4} className="tabular">
        {percent < 100 ? `Mengunggah ${percent} %` : 'Foto terkirim. Menunggu server…'}
      </Text>
      <Progress value={percent} aria-label="Mengunggah foto" />
    </div>
  );
}
