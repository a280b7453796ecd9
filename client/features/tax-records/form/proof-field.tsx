import { Button, Group, Input, Loader, Text } from '@mantine/core';
import { IconCamera, IconPhotoPlus, IconTrash } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { isSupportedImageType, shrinkImage } from './shrink-image.ts';
import { PROOF_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { DropTarget } from '#client/ui/form/drop-target.tsx';
import classes from './proof-field.module.css';
import { ProofImage } from './proof-image.tsx';

/** What the person chose: a new image, the stored one taken away, or neither. */
export type ProofChange = { file: File | null; remove: boolean };
export const noProofChange: ProofChange = { file: null, remove: false };

type Props = {
  value: ProofChange;
  onChange: (value: ProofChange) => void;
  /** The stored image of the record, when there is one; see `proofUrl`. */
  currentUrl?: string | null;
  /** Told while a photo is made smaller; hold the save button meanwhile. */
  onBusyChange?: (busy: boolean) => void;
  label?: string;
  error?: string | undefined;
};

/** Picks a payment proof: camera or gallery on phones, drag and drop on desks, with preview. Large photos are made smaller first. */
export function ProofField({
  value,
  onChange,
  currentUrl = null,
  onBusyChange,
  label = 'Bukti Pembayaran',
  error,
}: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // Only the last pick counts when somebody picks again while the first is still being made smaller.
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
    // Only a warning: what is too large is decided by the server (contract 6).
    if (file.size > PROOF_MAX_BYTES) setWarning(`${errorTexts.proofTooLarge}. Pilih gambar yang lebih kecil.`);
    onChange({ file, remove: false });
  }

  function removeProof() {
    latestSelection.current += 1;
    setBusy(false);
    setWarning(null);
    // A first press takes the new image back, so that the stored one shows again; the next one takes that away.
    onChange(value.file ? noProofChange : { file: null, remove: true });
    input.current?.focus();
  }

  const shownImage = value.file ?? (value.remove ? null : currentUrl);
  const message = warning ?? error;

  return (
    <DropTarget onFile={(file) => void selectFile(file)} className={classes['box']}>
      <Input.Wrapper
        id={id}
        label={label}
        description="JPG, PNG, GIF. Maksimal 5MB"
        error={message}
        descriptionProps={{ id: `${id}-description` }}
        errorProps={{ id: `${id}-error`, role: 'alert' }}
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
            // Picking the same file again is to count as well.
            event.currentTarget.value = '';
          }}
        />
        {shownImage !== null && !shrinking ? (
          <div className={classes['frame']}>
            <ProofImage
              source={shownImage}
              alt={value.file ? 'Pratinjau bukti pembayaran' : 'Bukti pembayaran saat ini'}
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
                <IconPhotoPlus size={32} stroke={1.5} aria-hidden />
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
