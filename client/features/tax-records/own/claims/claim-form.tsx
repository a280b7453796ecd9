import { Button, Textarea, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { IconPaperclip, IconSend } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { SectionForm } from '#client/ui/form/section-form.tsx';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';
import { claimBody } from '#shared/api/dhkp/claims.ts';
import { cleanNop, formatTypedNop, NOP_LENGTH } from '#shared/domain/dhkp/nop.ts';
import { CLAIM_NOTE_MAX } from '#shared/limits.ts';
import { claimTexts } from '#shared/texts.ts';
import { noProofChange, ProofField, UploadProgress } from '../../form/proof-field.tsx';
import { reloadClaims, sendClaim, uploadPhoto } from './api.ts';

/** The digits as they are on the SPPT, and how many of them are there. */
function nopHint(typed: string): string {
  const nop = formatTypedNop(typed);
  if (nop === null) return `NOP, ${NOP_LENGTH} angka, di bagian atas SPPT`;
  return `${nop} · ${formatNumber(cleanNop(typed).length)} dari ${NOP_LENGTH} angka`;
}

const noValues = { nop: '', note: '' };

/** Asks the office for an object of its list (R-DHKP-42). What was typed stays until the request is stored. */
export function ClaimForm() {
  const queryClient = useQueryClient();
  const [hasMore, setHasMore] = useState(false);
  const [photo, setPhoto] = useState(noProofChange);
  const [isPhotoBusy, setPhotoBusy] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const [isSent, setSent] = useState(false);
  const photos = useUploadedPhoto();
  const field = useRef<HTMLInputElement>(null);
  // The page has one field, and a press of the thumb less.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  const state = useSavedForm({
    initialValues: noValues,
    validate: schemaResolver(claimBody, { sync: true }),
    fallbackErrorText: 'Gagal mengirim permintaan',
    save: async ({ nop, note }) => {
      setSent(false);
      try {
        const attachmentId = photo.file ? await photos.upload(photo.file, setProgress) : null;
        await sendClaim({ nop, note, attachment_id: attachmentId });
      } finally {
        setProgress(null);
      }
      state.form.reset();
      setPhoto(noProofChange);
      setHasMore(false);
      setSent(true);
      await reloadClaims(queryClient);
    },
  });
  const { form } = state;
  return (
    <>
      <SectionForm
        state={{ ...state, busy: state.busy || isPhotoBusy }}
        label="Permintaan ke kantor"
        title="Permintaan ke Kantor"
        text="Kantor memeriksa apakah objek ini milik Anda. Setelah disetujui, datanya muncul di Data Pajak."
        save={{ label: 'Kirim permintaan', name: 'Kirim permintaan (Send)', icon: IconSend }}
      >
        <TextInput
          label="NOP"
          description={nopHint(form.values.nop)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          descriptionProps={{ className: 'tabular', 'aria-live': 'polite' }}
          required
          size="lg"
          inputMode="numeric"
          autoComplete="off"
          ref={field}
          {...form.getInputProps('nop')}
        />
        {hasMore ? (
          <>
            <Textarea
              label="Catatan"
              description="Misalnya nama pemilik sebelumnya. Boleh dikosongkan."
              maxLength={CLAIM_NOTE_MAX}
              autosize
              minRows={2}
              {...form.getInputProps('note')}
            />
            <ProofField
              label="Foto SPPT"
              previewName="Pratinjau foto SPPT"
              value={photo}
              onChange={setPhoto}
              onBusyChange={setPhotoBusy}
            />
          </>
        ) : (
          <div>
            <Button
              variant="subtle"
              px={6}
              leftSection={<IconPaperclip size={18} aria-hidden />}
              onClick={() => setHasMore(true)}
            >
              Tambah catatan atau foto SPPT
            </Button>
          </div>
        )}
        {progress === null ? null : <UploadProgress fraction={progress} />}
      </SectionForm>
      {isSent ? (
        <FormAlert kind="info" message={claimTexts.sent} hint="Jawabannya muncul di bawah ini dan di Layanan Chat." />
      ) : null}
    </>
  );
}

/** A photo that is at the server already is not uploaded again when its request is sent once more. */
function useUploadedPhoto() {
  const uploaded = useRef<{ file: File; id: string } | null>(null);
  return {
    upload: async (file: File, onProgress: (fraction: number) => void): Promise<string> => {
      if (uploaded.current?.file === file) return uploaded.current.id;
      onProgress(0);
      const id = await uploadPhoto(file, onProgress);
      uploaded.current = { file, id };
      return id;
    },
  };
}
