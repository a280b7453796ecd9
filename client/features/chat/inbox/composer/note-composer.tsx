import { IconDeviceFloppy, IconLock } from '@tabler/icons-react';
import { useEffect, useRef, useState, useMemo } from 'react';
import { Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { atom, getDefaultStore, useAtom } from 'jotai';
import { userListQuery } from '#client/features/users/api.ts';
import { ADMIN_USERS_MAX } from '#shared/limits.ts';
import { onErasePrivateData } from '#client/lib/session/private-data.ts';
import { useRecordDraft } from '../../drafts/record-draft.ts';
import { useDraftFiles } from '../../drafts/draft-files.ts';
import { bindQuoteField } from '../../drafts/quote-drafts.ts';
import { FileOffer, type Pasted } from '../../thread/composer/pasted-files.tsx';
import { activityKeyOf, attachFiles } from '../../thread/composer/preparing-files.ts';
import { ComposerForm } from '../../thread/composer/composer-form.tsx';
import { isTextSendable, lengthOf } from '../../thread/composer/use-outgoing.ts';
import { useDraft } from '../../thread/composer/use-draft.ts';
import { BELOW_FIELD } from './fill-reply.tsx';
import classes from './admin-composer.module.css';
import { type ModeProps, ModeSwitch } from './mode-switch.tsx';
import { useNoteSending } from './use-note-sending.ts';

/** Files that came into a field for text only, by the draft's key, until the user attaches or drops them. */
const keptFilesAtom = atom<Readonly<Record<string, readonly File[]>>>({});
onErasePrivateData(() => getDefaultStore().set(keptFilesAtom, {}));

/** Also while another conversation or mode is on the screen. */
function useKeptFiles(key: string): [files: readonly File[], setFiles: (files: readonly File[]) => void] {
  return useAtom(
    useMemo(
      () =>
        atom(
          (get) => get(keptFilesAtom)[key] ?? [],
          (get, set, files: readonly File[]) => set(keptFilesAtom, { ...get(keptFilesAtom), [key]: files }),
        ),
      [key],
    ),
  );
}

type NoteAddresseeProps = {
  currentUserId: string;
  value: string;
  disabled: boolean;
  onChange: (adminId: string) => void;
};

/** The choice of the colleague who gets a mark for the note; none by default. */
function NoteAddressee({ currentUserId, value, disabled, onChange }: NoteAddresseeProps) {
  const { data } = useQuery(userListQuery({ search: '', role: 'admin', status: 'aktif' }, 1, ADMIN_USERS_MAX));
  const colleagues = data?.data.filter(({ id }) => id !== currentUserId) ?? [];
  if (colleagues.length === 0) return null;
  return (
    <NativeSelect
      size="sm"
      flex="0 1 15rem"
      miw="9rem"
      ms="auto"
      aria-label="Untuk siapa catatan ini"
      value={value}
      disabled={disabled}
      data={[
        { value: '', label: 'Untuk semua admin' },
        ...colleagues.map(({ id, name }) => ({ value: id, label: `Untuk ${name}` })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type Props = ModeProps & {
  /** @param isDisplayed whether this conversation is still on the screen */
  onStored: (isDisplayed: boolean) => void;
};

/** The field of a note for the other admins. */
export function NoteComposer({ userId, currentUserId, field, fieldRef, changeMode, onStored }: Props) {
  const [text, setText] = useDraft(currentUserId, userId, 'note');
  const [answerDraft] = useDraft(currentUserId, userId, 'answer');
  const answerFiles = useDraftFiles(currentUserId, userId);
  const answerRecord = useRecordDraft(currentUserId, userId);
  const hasAnswerDraft = answerDraft.trim() !== '' || answerFiles.length > 0 || answerRecord !== null;
  // They never join the draft of the answer by themselves: what is for colleagues must not reach the user.
  const [kept, setKept] = useKeptFiles(activityKeyOf(currentUserId, userId));
  const keep = (files: readonly File[]): void => setKept([...kept, ...files]);
  const isDisplayed = useRef(false);
  useEffect(() => {
    isDisplayed.current = true;
    return () => {
      isDisplayed.current = false;
    };
  }, []);
  const [forAdminId, setForAdminId] = useState('');
  const { isBusy, error, send, clearError } = useNoteSending(currentUserId, userId, () =>
    onStored(isDisplayed.current),
  );
  // A quoted message becomes text: a note stands alone.
  useEffect(() =>
    bindQuoteField(userId, ({ sender_name, excerpt }) => {
      const { value = '' } = field.current ?? {};
      setText(`${value}${value === '' || value.endsWith('\n') ? '' : '\n'}${sender_name}: “${excerpt}”\n`);
      field.current?.focus();
    }),
  );

  return (
    <ComposerForm
      side="admin"
      field={fieldRef}
      text={text}
      length={lengthOf(text)}
      maySend={isTextSendable(text)}
      onDrop={keep}
      onPaste={({ files, hasText }: Pasted) => {
        if (!hasText) keep(files);
      }}
      dropLabel="Catatan hanya berisi teks"
      onChange={(value) => {
        setText(value);
        if (error !== null) clearError();
      }}
      onSend={() => {
        send(text, forAdminId === '' ? null : forAdminId);
        return true;
      }}
      placeholder="Tulis catatan internal..."
      sendLabel="Simpan"
      sendIcon={IconDeviceFloppy}
      noun="Catatan"
      look="note"
      isBusy={isBusy}
      fieldProps={{ readOnly: isBusy }}
      above={
        <>
          <div className={classes['tools']}>
            <ModeSwitch mode="note" hasOtherDraft={hasAnswerDraft} onChange={changeMode} />
            <Group component="span" display="inline-flex" gap="0.35rem" fz="sm" fw={600}>
              <IconLock size={16} aria-hidden />
              Hanya terlihat oleh admin
            </Group>
            <NoteAddressee
              currentUserId={currentUserId}
              value={forAdminId}
              disabled={isBusy}
              onChange={setForAdminId}
            />
          </div>
          {kept.length > 0 ? (
            <FileOffer
              text={`Catatan hanya berisi teks. ${kept.length === 1 ? 'Berkas ini' : `${kept.length} berkas ini`} bisa dikirim ke warga lewat Balas.`}
              acceptLabel="Lampirkan di Balas"
              onAccept={() => {
                attachFiles(currentUserId, userId, kept);
                setKept([]);
                changeMode('answer');
              }}
              onDismiss={() => setKept([])}
            />
          ) : null}
        </>
      }
      below={
        error === null ? null : (
          <Text pt="0.375rem" fz="sm" fw={500} c="var(--mantine-color-error)" style={BELOW_FIELD} role="alert">
            {error}
          </Text>
        )
      }
    />
  );
}
