import { Badge, Button, Group, Modal, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { type QuickReply, quickReplyBody } from '#shared/api/quick-replies.ts';
import { REPLY_VARIABLES, unknownVariables } from '#shared/domain/reply-template.ts';
import { SHORTCUT_MAX, TITLE_MAX } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { serverFieldErrors } from '#client/ui/form/field-errors.ts';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import {
  createQuickReply,
  quickRepliesKey,
  quickRepliesQuery,
  type QuickReplyFields,
  updateQuickReply,
} from './api.ts';
import { previewText, variableTexts } from './example-values.ts';
import classes from './quick-replies.module.css';

const validate = schemaResolver(quickReplyBody, { sync: true });
const PROMPT = 'isian';

type Props = {
  /** The reply to change; null for a new one. */
  reply: QuickReply | null;
  /** The fields with which a new one begins. */
  initial: QuickReplyFields;
  onClose: () => void;
};

/** The dialog in which a quick reply is written, with its preview. What was typed stays when saving fails. */
export function ReplyForm({ reply, initial, onClose }: Props) {
  const queryClient = useQueryClient();
  const form = useForm<QuickReplyFields>({ initialValues: initial, validate });
  const [failure, setFailure] = useState<Failure | null>(null);
  /** As it was loaded, or as a colleague left it when that was shown here. */
  const [updatedAt, setUpdatedAt] = useState(reply?.updated_at ?? '');
  const contentField = useRef<HTMLTextAreaElement>(null);
  const [labelId, previewId] = [useId(), useId()];
  const { content } = form.values;
  const unknown = unknownVariables(content);

  /** Loads the reply as another admin has stored it meanwhile. */
  async function loadNewest(): Promise<QuickReply | undefined> {
    try {
      const all = await queryClient.fetchQuery({ ...quickRepliesQuery, staleTime: 0 });
      return all.find(({ id }) => id === reply?.id);
    } catch {
      // The message of the first refusal stays.
      return undefined;
    }
  }

  async function showFailure(error: unknown): Promise<void> {
    const refused = failureOf(error, 'Balasan cepat gagal disimpan');
    setFailure(refused);
    if (!(error instanceof ApiError)) return;
    form.setErrors(serverFieldErrors(error, form.getValues()));
    if (error.status !== 409) return;
    if (refused.message !== errorTexts.conflict) {
      form.setFieldError('shortcut', refused.message);
      return;
    }
    const newest = await loadNewest();
    if (!newest) return;
    setUpdatedAt(newest.updated_at);
    setFailure({
      message: 'Rekan Anda baru saja mengubah balasan ini. Simpan sekali lagi untuk menggantinya dengan isian Anda.',
      hint: `Isi yang baru: ${newest.content}`,
    });
  }

  const { submit: save, busy } = useSubmit(async (values: QuickReplyFields) => {
    setFailure(null);
    try {
      await (reply ? updateQuickReply(reply.id, values, updatedAt) : createQuickReply(values));
    } catch (error) {
      await showFailure(error);
      return;
    }
    await queryClient.invalidateQueries({ queryKey: quickRepliesKey });
    notify.success('Balasan cepat disimpan');
    onClose();
  });

  async function close(): Promise<void> {
    if (busy) return;
    const mayClose =
      !form.isDirty() ||
      (await confirm({
        title: 'Perubahan belum disimpan',
        message: 'Isian balasan ini akan hilang.',
        confirmLabel: 'Buang isian',
        cancelLabel: 'Tetap di sini',
        danger: true,
      }));
    if (mayClose) onClose();
  }

  /** Inserts at the cursor, and selects a part of it. */
  function insert(text: string, selected: [from: number, to: number]): void {
    const field = contentField.current;
    const [from, to] = [field?.selectionStart ?? content.length, field?.selectionEnd ?? content.length];
    form.setFieldValue('content', content.slice(0, from) + text + content.slice(to));
    // After the render that puts the text into the field.
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(from + selected[0], from + selected[1]);
    });
  }

  return (
    <Modal opened onClose={() => void close()} title={reply ? 'Ubah balasan cepat' : 'Balasan cepat baru'} size="lg">
      <form noValidate onSubmit={form.onSubmit((values) => void save(values))}>
        <Stack gap="md">
          <FormFailure failure={failure} />
          <TextInput
            label="Singkatan"
            description="Diketik setelah / di kolom pesan. Huruf, angka, garis bawah, dan tanda hubung."
            required
            data-autofocus
            maxLength={SHORTCUT_MAX}
            autoComplete="off"
            autoCapitalize="none"
            leftSection="/"
            {...form.getInputProps('shortcut')}
          />
          <TextInput label="Judul" required maxLength={TITLE_MAX} autoComplete="off" {...form.getInputProps('title')} />
          <Textarea
            ref={contentField}
            label="Isi balasan"
            required
            autosize
            minRows={4}
            maxRows={12}
            {...form.getInputProps('content')}
          />
          <div>
            <Text fz="sm" fw={500} id={labelId}>
              Sisipkan
            </Text>
            <ul className={classes['variables']} aria-labelledby={labelId}>
              {REPLY_VARIABLES.map((name) => (
                <li key={name}>
                  <Button
                    variant="default"
                    size="compact-md"
                    mih={44}
                    title={`{${name}}`}
                    onClick={() => insert(`{${name}}`, [name.length + 2, name.length + 2])}
                  >
                    {variableTexts[name].meaning}
                  </Button>
                </li>
              ))}
              <li>
                <Button
                  variant="default"
                  size="compact-md"
                  mih={44}
                  title={`{?${PROMPT}}`}
                  onClick={() => insert(`{?${PROMPT}}`, [2, 2 + PROMPT.length])}
                >
                  Isian untuk dilengkapi
                </Button>
              </li>
            </ul>
          </div>
          {unknown.length > 0 ? (
            <FormAlert
              kind="warning"
              message={`Tidak dikenal: ${unknown.map((name) => `{${name}}`).join(', ')}`}
              hint="Yang tidak dikenal harus dilengkapi sendiri setiap kali. Periksa ejaannya, atau pakai {?teks} untuk isian."
            />
          ) : null}
          <div>
            <Text fz="sm" fw={500} mb={4} id={`${labelId}-own`}>
              Untuk siapa
            </Text>
            <SegmentedControl
              aria-labelledby={`${labelId}-own`}
              fullWidth
              value={form.values.personal ? 'own' : 'shared'}
              onChange={(value) => form.setFieldValue('personal', value === 'own')}
              data={[
                { value: 'shared', label: 'Semua admin' },
                { value: 'own', label: 'Hanya saya' },
              ]}
            />
          </div>
          <section aria-labelledby={previewId}>
            <Group gap="xs" mb={4}>
              <Text fz="sm" fw={500} id={previewId}>
                Pratinjau
              </Text>
              <Badge variant="light">contoh: Siti Aminah</Badge>
            </Group>
            <p className={classes['preview']} dir="auto">
              {content.trim() === '' ? 'Belum ada isi.' : previewText(content)}
            </p>
          </section>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => void close()}>
              Batal
            </Button>
            <SaveButton busy={busy} aria-label="Simpan (Save)" leftSection={<IconDeviceFloppy size={18} aria-hidden />}>
              Simpan
            </SaveButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
