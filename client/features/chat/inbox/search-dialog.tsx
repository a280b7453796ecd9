import { Modal, Switch } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MessageSearch, type FoundPerson } from '../search/message-search.tsx';
import type { MessageSearchParams, OpenedMessage } from './use-inbox-params.ts';
import { SEARCH_MIN_LENGTH } from '../search/use-message-search.ts';
import { chatApi } from '../effects/api.ts';
import type { ChatSession } from '../session/chat-session.ts';
import { useJump } from '../session/use-chat.ts';

/** Shows the message that the address names, and calls back when the reader has left it for the newest ones. */
export function useOpenMessage(
  chatSession: ChatSession | null,
  message: OpenedMessage | null | undefined,
  onLeft: () => void,
): void {
  const { userId = '', messageId = '' } = message ?? {};
  const jump = useJump(userId);
  const wasShown = useRef(false);
  useEffect(() => {
    wasShown.current = false;
    if (chatSession && messageId !== '') chatSession.jumpToMessage(userId, messageId);
  }, [chatSession, userId, messageId]);
  useEffect(() => {
    if (messageId === '') return;
    if (jump) wasShown.current = true;
    else if (wasShown.current) {
      wasShown.current = false;
      onLeft();
    }
  }, [jump, messageId, onLeft]);
}

const PEOPLE_MAX = 5;

/** The users whose name or e-mail contains a text. Where they cannot be loaded, only messages are found. */
function usePeopleSearch(q: string): readonly FoundPerson[] {
  const search = q.trim();
  const enabled = Array.from(search).length >= SEARCH_MIN_LENGTH;
  const { data } = useQuery({
    queryKey: ['users', 'message-search', search],
    queryFn: async () => {
      const { data: rows } = await chatApi.fetchConversations({ search, limit: PEOPLE_MAX, page: 1 });
      return rows.map(({ other_user: { _id, name, email } }) => ({ id: _id, name, email }));
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  return enabled ? (data ?? []) : [];
}

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
  // The address follows a moment later, and until then names the search before.
  const [search, setSearch] = useState(params);
  const { q, userId } = search;
  const reportChange = useEffectEvent(() => {
    if (q !== params.q || userId !== params.userId) onChange(search);
  });
  useEffect(() => reportChange(), [search]);
  const people = usePeopleSearch(userId === null ? q : '');
  const limitableId = userId ?? openUserId;
  // The focus returns to the element that had it before; a chosen result takes the focus itself.
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
      styles={{
        content: { display: 'flex', flexDirection: 'column', height: isFullScreen ? '100dvh' : '80dvh' },
        // Its padding is the space for the focus ring of the field.
        body: { display: 'flex', flex: 1, flexDirection: 'column', minHeight: 0, paddingTop: '0.5rem' },
      }}
    >
      <MessageSearch
        scope={{ kind: 'all', userId }}
        initialText={q}
        onSearch={(text) => setSearch((before) => ({ ...before, q: text }))}
        people={people}
        initialKey={lastKey}
        onChoose={onChoose}
        onOpen={({ user, message }) => onOpenMessage(user.id, message._id)}
        onOpenPerson={({ id }) => onOpenUser(id)}
      >
        {limitableId === null ? null : (
          <Switch
            display="flex"
            mih={44}
            style={{ alignItems: 'center' }}
            label="Percakapan ini saja"
            checked={userId !== null}
            onChange={({ currentTarget: { checked } }) =>
              setSearch((before) => ({ ...before, userId: checked ? limitableId : null }))
            }
          />
        )}
      </MessageSearch>
    </Modal>
  );
}
