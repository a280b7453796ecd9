import { CloseButton, Drawer, Group, Popover, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, useId } from 'react';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import { ProofForm } from './proof-form.tsx';
import classes from './proof.module.css';

export type ProofPanelProps = {
  attachment: Attachment;
  message: Message;
  opened: boolean;
  onClose: () => void;
};

const TITLE = 'Jadikan bukti pembayaran';

/** The chat around it, of which it is a part in the tree of React, must not hear its keys. */
const keepKeys = (event: KeyboardEvent): void => event.stopPropagation();

/** A small panel beside the photo; on phones it comes from below. */
export function ProofPanel({ attachment, message, opened, onClose }: ProofPanelProps) {
  const isSmallScreen = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const titleId = useId();
  const content =
    attachment.type === 'image/webp' ? (
      <Text>
        Foto WebP tidak bisa menjadi bukti pembayaran. Minta foto yang sama dikirim lagi sebagai JPG atau PNG.
      </Text>
    ) : (
      <ProofForm attachment={attachment} message={message} onClose={onClose} onSaved={onClose} />
    );
  if (isSmallScreen) {
    return (
      <Drawer
        opened={opened}
        onClose={onClose}
        position="bottom"
        returnFocus={false}
        classNames={{ content: classes['drawer'] ?? '' }}
        // Above the chat that fills a phone.
        zIndex={300}
        title={TITLE}
        closeButtonProps={{ 'aria-label': 'Tutup' }}
        onKeyDown={keepKeys}
      >
        {content}
      </Drawer>
    );
  }
  return (
    <Popover
      opened={opened}
      onDismiss={onClose}
      width={360}
      // Beside the photo, which says what was paid and when.
      position="right-end"
      // The calendar of the date stands outside of it.
      closeOnClickOutside={false}
      trapFocus
      // The place of the panel has no name of its own.
      withRoles={false}
      withArrow
      shadow="md"
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={classes['anchor']} />
      </Popover.Target>
      <Popover.Dropdown
        className={classes['dropdown'] ?? ''}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the dropdown of the library is a div
        role="dialog"
        aria-labelledby={titleId}
        onKeyDown={keepKeys}
      >
        <Group justify="space-between" gap="0.5rem" wrap="nowrap" mb="0.5rem">
          <Title order={3} fz="md" id={titleId}>
            {TITLE}
          </Title>
          <CloseButton aria-label="Tutup" onClick={onClose} />
        </Group>
        {content}
      </Popover.Dropdown>
    </Popover>
  );
}
