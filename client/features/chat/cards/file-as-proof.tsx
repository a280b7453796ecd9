import { Button, Group } from '@mantine/core';
import { IconReceipt, IconRosetteDiscountCheck } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { useCardScope } from './records/card-record.ts';
import type { ProofPanelProps } from './proof/proof-panel.tsx';
import classes from './proof/proof.module.css';

type Props = {
  attachment: Attachment;
  message: Message;
};

const loadPanel = async () => (await import('./proof/proof-panel.tsx')).ProofPanel;

/** Under a sent photo: makes it the payment proof of a record (R-CARD-30). */
export function FileAsProof({ attachment, message }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [isWanted, setIsWanted] = useState(false);
  const { Component } = useLazyOverlay<ProofPanelProps>(loadPanel, {
    wanted: isOpen,
    early: isWanted,
    failure: 'Formulir bukti gagal dimuat',
    onCancel: () => setIsOpen(false),
  });
  const filedYear = attachment.proof_of?.year;
  const scope = useCardScope();
  const photos = message.attachments.filter(({ type }) => isPhoto(type));
  // Several photos stand above several buttons.
  const which = photos.length > 1 ? ` (foto ${photos.findIndex(({ id }) => id === attachment.id) + 1})` : '';
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setIsOpen(false);
    button.current?.focus();
  };
  const prepare = (): void => setIsWanted(true);
  // A photo from the admins proves no payment of the user.
  if (scope === 'own' && message.from_admin) {
    return filedYear === undefined ? null : (
      <Group
        component="span"
        gap="0.4rem"
        my="0.25rem"
        c="var(--mantine-color-green-light-color)"
        fz="sm"
        fw={600}
        className="no-print"
      >
        <IconRosetteDiscountCheck size={18} aria-hidden />
        {`Bukti PBB ${filedYear}${which}`}
      </Group>
    );
  }
  return (
    <span className={`${classes['place']} no-print`} data-file-as-proof={attachment.id}>
      {Component ? <Component attachment={attachment} message={message} opened={isOpen} onClose={close} /> : null}
      <Button
        ref={button}
        variant="subtle"
        className={classes['button'] ?? ''}
        color={filedYear === undefined ? 'laut' : 'green'}
        leftSection={
          filedYear === undefined ? (
            <IconReceipt size={18} aria-hidden />
          ) : (
            <IconRosetteDiscountCheck size={18} aria-hidden />
          )
        }
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setIsOpen(!isOpen)}
      >
        {filedYear === undefined ? `Jadikan bukti${which}` : `Bukti PBB ${filedYear}${which}`}
      </Button>
    </span>
  );
}
