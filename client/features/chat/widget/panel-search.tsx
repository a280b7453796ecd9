import { ActionIcon, Button, Loader } from '@mantine/core';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import classes from './chat-panel.module.css';

const loadMessageSearch = async () => (await import('../search/message-search.tsx')).MessageSearch;

type ButtonProps = { isOpen: boolean; onToggle: () => void };

/** In the head of the panel. */
export function PanelSearchButton({ isOpen, onToggle }: ButtonProps) {
  return (
    <ActionIcon
      size={44}
      variant="transparent"
      className={classes['headerButton'] ?? ''}
      aria-label="Cari pesan"
      aria-expanded={isOpen}
      data-panel-search
      onClick={onToggle}
    >
      <IconSearch size={22} aria-hidden />
    </ActionIcon>
  );
}

type Props = { onOpen: (messageId: string) => void; onClose: () => void };

/** The search over the own conversation, in the place of its messages. Its code is loaded when it is first opened. */
export function PanelSearch({ onOpen, onClose }: Props) {
  const { Component, hasFailed, retry } = useLazyComponent(loadMessageSearch, {
    delayMs: 0,
  });
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (Component) section.current?.querySelector('input')?.focus();
  }, [Component]);
  function close(): void {
    const button = section.current?.closest('dialog')?.querySelector<HTMLElement>('[data-panel-search]');
    onClose();
    button?.focus();
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes from wherever the focus is inside
    <section
      ref={section}
      className={classes['searchView']}
      aria-label="Cari pesan"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The panel itself stays open.
        event.stopPropagation();
        close();
      }}
    >
      <Button
        variant="subtle"
        mih={44}
        px="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        onClick={close}
      >
        Kembali ke percakapan
      </Button>
      {Component ? (
        <Component scope={{ kind: 'own' }} initialText="" onOpen={({ message }) => onOpen(message._id)} />
      ) : hasFailed ? (
        <Button variant="light" mih={44} onClick={retry}>
          Pencarian gagal dimuat. Coba lagi
        </Button>
      ) : (
        <Loader size="sm" aria-label="Memuat pencarian" />
      )}
    </section>
  );
}
