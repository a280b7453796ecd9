import { ActionIcon, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCamera, IconPaperclip, IconPhoto } from '@tabler/icons-react';
import { type ChangeEvent, type RefObject, useEffect, useRef } from 'react';
import { preparePrivateFiles } from '#client/lib/session/private-files.ts';
import { ShareRecordItem } from '../../cards/share/share-record.tsx';
import classes from './attach.module.css';

type Props = {
  /** The conversation, by its user's id. */
  userId: string;
  /** Takes the focus after a choice, so that Enter sends. */
  field: RefObject<HTMLTextAreaElement | null>;
  onFiles: (files: File[]) => void;
};

/** The clip beside the message field. */
export function AttachMenu({ userId, field, onFiles }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  useEffect(preparePrivateFiles, []);

  function take(event: ChangeEvent<HTMLInputElement>): void {
    const files = Array.from(event.currentTarget.files ?? []);
    // Without this, choosing the same file again would cause no event.
    event.currentTarget.value = '';
    if (files.length === 0) return;
    onFiles(files);
    // On a phone the keyboard would open over what was chosen.
    if (!isTouch) field.current?.focus();
  }

  return (
    <div className={classes['clip']}>
      <Menu position="top-start" width={250} withinPortal={false}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label="Lampirkan"
            title="Lampirkan foto, dokumen, atau data PBB"
          >
            <IconPaperclip size={22} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item mih={44} leftSection={<IconPhoto size={18} aria-hidden />} onClick={() => picker.current?.click()}>
            Foto atau dokumen
          </Menu.Item>
          {isTouch ? (
            <Menu.Item
              mih={44}
              leftSection={<IconCamera size={18} aria-hidden />}
              onClick={() => camera.current?.click()}
            >
              Ambil foto
            </Menu.Item>
          ) : null}
          <ShareRecordItem userId={userId} />
        </Menu.Dropdown>
      </Menu>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept="image/*,application/pdf"
        aria-label="Foto atau dokumen"
        onChange={take}
      />
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        aria-label="Ambil foto"
        onChange={take}
      />
    </div>
  );
}
