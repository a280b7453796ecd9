import { Modal, Switch } from '@mantine/core';
import { useEffect } from 'react';
import { MessageSearch } from '../../search/message-search.tsx';
import type { MessageSearchParams } from '../use-inbox-params.ts';
import classes from './search-dialog.module.css';
import { usePeopleSearch } from './use-people-search.ts';

type Props = {
  params: MessageSearchParams;
  /** The conversation to which the search can be limited. */
  openUserId: string | null;
  isFullScreen: boolean;
  lastKey: string | null;
  onChoose: (key: string) => void;
  onChange: (params: MessageSearchParams) => void;
  onOpenMessage: (userId: string, messageId: string) => void;
  onOpenUser: (userId: string) => void;
  onClose: () => void;
};

/** 'Cari pesan': all messages of all time. */
export function SearchDialog(props: Props) {
  const { params, openUserId, isFullScreen, lastKey, onChoose, onChange, onOpenMessage, onOpenUser, onClose } = props;
  const { q, userId } = params;
  const people = usePeopleSearch(userId === null ? q : '');
  const limitableId = userId ?? openUserId;
  // Where one was: a chosen result takes the focus itself.
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);

  return (
    <Modal
      opened
      onClose={onClose}
      title="Cari pesan"
      size="lg"
      fullScreen={isFullScreen}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Tutup' }}
      classNames={{ content: classes['content'] ?? '', body: classes['body'] ?? '' }}
    >
      <MessageSearch
        scope={{ kind: 'all', userId }}
        initialText={q}
        onSearch={(text) => onChange({ q: text, userId })}
        people={people}
        initialKey={lastKey}
        onChoose={onChoose}
        onOpen={({ user, message }) => onOpenMessage(user.id, message._id)}
        onOpenPerson={({ id }) => onOpenUser(id)}
      >
        {limitableId === null ? null : (
          <Switch
            className={classes['limit'] ?? ''}
            label="Percakapan ini saja"
            checked={userId !== null}
            onChange={(event) => onChange({ q, userId: event.currentTarget.checked ? limitableId : null })}
          />
        )}
      </MessageSearch>
    </Modal>
  );
}
