import { ActionIcon, Avatar, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import { presenceAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import chat from '../../chat.module.css';
import classes from './conversation.module.css';
import type { AccountState, ConversationUser } from './use-conversation-user.ts';

type Props = {
  userId: string;
  user: ConversationUser;
  /** Whether the list is not beside it; then this is the page's only heading. */
  isSinglePane: boolean;
  /** None in a column, which has its own buttons. */
  onBack: (() => void) | undefined;
  /** The claim and the snooze in words, if no row of buttons says it. */
  stateText?: string | undefined;
  /** Whether a row of buttons stands below. */
  hasBar?: boolean;
  hasAvatar?: boolean;
  /** Buttons for the conversation. */
  children: ReactNode;
};

/** Stands where the presence of the user would stand. */
const accountBadges: Record<AccountState, string | null> = {
  active: null,
  inactive: 'Akun nonaktif',
  deleted: 'Akun dihapus',
  admin: 'Akun admin',
};

/** Shows the user's name, e-mail and presence, with a back button before them and other buttons after them. */
export function ConversationHeader({
  userId,
  user,
  isSinglePane,
  onBack,
  stateText,
  hasBar = false,
  hasAvatar = true,
  children,
}: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const isPresenceKnown = useAtomValue(socketConnectedAtom);
  const online = useAtomValue(presenceAtom).onlineUserIds.has(userId);
  const badge = accountBadges[user.accountState];
  return (
    <header className={classes['head']} data-has-bar={hasBar || undefined}>
      {onBack ? (
        <ActionIcon color="gray" aria-label="Kembali (Back)" title="Kembali" onClick={onBack}>
          <IconArrowLeft size={22} aria-hidden />
        </ActionIcon>
      ) : null}
      {hasAvatar ? (
        <Avatar color="laut" radius="xl" size={40} aria-hidden>
          {user.name.trim().charAt(0).toUpperCase()}
        </Avatar>
      ) : null}
      <div className={classes['who']}>
        <Title order={isSinglePane ? 1 : 2} ref={heading} tabIndex={-1} className={classes['name'] ?? ''}>
          {user.accountState === 'deleted' ? (
            user.name
          ) : (
            <Link to={paths.adminUser(userId)} className={classes['userLink']} title={`Buka halaman ${user.name}`}>
              {user.name}
            </Link>
          )}
        </Title>
        <p className={classes['about']}>
          {badge ? (
            <Text span inherit flex="none" fw={600} c="var(--mantine-color-error)">
              {badge}
            </Text>
          ) : null}
          {badge ? null : isPresenceKnown ? (
            <Text span inherit {...(online ? { fw: 500, c: 'var(--mantine-color-green-light-color)' } : {})}>
              {online ? 'Online' : 'Offline'}
            </Text>
          ) : (
            <span title="Belum diketahui selama sambungan terputus">–</span>
          )}
          {user.email ? <span className={chat['oneLine']}>· {emailText(user.email)}</span> : null}
          {stateText ? (
            <Text span inherit truncate fw={600} c="var(--mantine-color-text)" title={stateText}>
              · {stateText}
            </Text>
          ) : null}
        </p>
      </div>
      {children}
    </header>
  );
}
