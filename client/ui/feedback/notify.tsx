import { Button } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { TOAST_MS, UNDO_TOAST_MS } from '#shared/limits.ts';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { bindPageKeys } from '../keys/page-keys.ts';

const kindStyles = {
  success: { color: 'green', Icon: IconCircleCheck, role: 'status' },
  error: { color: 'red', Icon: IconCircleX, role: 'alert' },
  warning: { color: 'yellow', Icon: IconAlertTriangle, role: 'alert' },
  info: { color: 'laut', Icon: IconInfoCircle, role: 'status' },
} as const;

function show(kind: keyof typeof kindStyles, message: string, hint?: string): void {
  const { color, Icon, role } = kindStyles[kind];
  // The same text has the same id, so that repeated clicks show one toast.
  const id = `${kind}:${message}`;
  // A pointer that happens to rest there holds only what says that something went wrong.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ownTimer = {
    onOpen: () => {
      timer = setTimeout(() => notifications.hide(id), TOAST_MS);
    },
    onClose: () => clearTimeout(timer),
  };
  notifications.show({
    id,
    ...(role === 'status' ? ownTimer : {}),
    ...(hint ? { title: message, message: hint } : { message }),
    color,
    role,
    icon: <Icon size={20} aria-hidden />,
    autoClose: TOAST_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Tutup pemberitahuan' },
  });
}

type LinkToast = {
  /** A toast of the same id that is still shown is replaced and stays as long as a new one. */
  id: string;
  message: string;
  /** The accessible name of the button 'Buka'. */
  openLabel: string;
  onOpen: () => void;
  /** The toast was closed, by itself too. */
  onClose: () => void;
};

function isShown(id: string): boolean {
  const { notifications: shown, queue } = notificationsStore.getState();
  return [...shown, ...queue].some((toast) => toast.id === id);
}

function showLink({ id, message, openLabel, onOpen, onClose }: LinkToast): void {
  const { color, Icon, role } = kindStyles.info;
  const toast = {
    id,
    message: (
      <span style={{ display: 'flex', gap: '0.75rem', alignItems: 'center', justifyContent: 'space-between' }}>
        <span style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{message}</span>
        <Button
          variant="light"
          size="compact-md"
          mih={36}
          flex="none"
          aria-label={openLabel}
          onClick={() => {
            notifications.hide(id);
            onOpen();
          }}
        >
          Buka
        </Button>
      </span>
    ),
    color,
    role,
    icon: <Icon size={20} aria-hidden />,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Tutup pemberitahuan' },
    onClose,
    // A keyboard user who has come this far is not interrupted.
    onFocus: () => notifications.update({ id, message: toast.message, autoClose: false }),
    onBlur: () => notifications.update({ id, message: toast.message, autoClose: TOAST_MS }),
  };
  if (!isShown(id)) notifications.show({ ...toast, autoClose: TOAST_MS });
  // Only another duration restarts the timer.
  else notifications.update({ ...toast, autoClose: TOAST_MS + (Date.now() % 100) + 1 });
}

type UndoToast = {
  message: string;
  onUndo: () => void;
  /** A key of the page that does the same, besides Ctrl+Z. */
  pageKey?: string;
  /** Default 8 seconds. */
  durationMs?: number;
};

const UNDO_ID = 'undo';
/** Gives the keys back that the shown toast listens to. */
let releaseUndoKeys = (): void => {};

/** There is one such toast: a later act replaces it, so that 'Urungkan' always means the last one. */
function showUndo({ message, onUndo, pageKey, durationMs = UNDO_TOAST_MS }: UndoToast): void {
  const { color, Icon, role } = kindStyles.success;
  notifications.hide(UNDO_ID);
  releaseUndoKeys();
  const undo = (): void => {
    notifications.hide(UNDO_ID);
    releaseUndoKeys();
    onUndo();
  };
  // The toast is far away in the order of the Tab key, and it does not wait for ever.
  releaseUndoKeys = bindPageKeys((event) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    // All toasts are removed at once when the session ends.
    if (!isShown(UNDO_ID)) return releaseUndoKeys();
    event.preventDefault();
    undo();
  });
  const content = (
    // A long text has the whole width, and the button stands below it.
    <span style={{ display: 'flex', flexWrap: 'wrap', gap: '0.5rem 0.75rem', alignItems: 'center' }}>
      <span style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{message}</span>
      <Button
        variant="light"
        size="compact-md"
        mih={36}
        ml="auto"
        flex="none"
        title={pageKey ?? 'Ctrl+Z'}
        aria-label="Urungkan (Undo)"
        aria-keyshortcuts={pageKey ? `${pageKey} Control+Z` : 'Control+Z'}
        onClick={undo}
      >
        Urungkan
        {pageKey ? (
          <span className="undo-key" aria-hidden>
            &nbsp;({pageKey})
          </span>
        ) : null}
      </Button>
    </span>
  );
  const toast = {
    id: UNDO_ID,
    message: content,
    color,
    role,
    icon: <Icon size={20} aria-hidden />,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Tutup pemberitahuan' },
    onClose: () => releaseUndoKeys(),
    onFocus: () => notifications.update({ id: UNDO_ID, message: content, autoClose: false }),
    onBlur: () => notifications.update({ id: UNDO_ID, message: content, autoClose: durationMs }),
  };
  notifications.show({ ...toast, autoClose: durationMs });
}

/** Toasts, which close by themselves (docs/requirements.md R-UI-9). */
export const notify = {
  success: (message: string) => show('success', message),
  error: (message: string, hint?: string) => show('error', message, hint),
  warning: (message: string, hint?: string) => show('warning', message, hint),
  info: (message: string) => show('info', message),
  /** A message with a button that leads to its place. */
  link: showLink,
  /** The result of an act with a button that undoes it, for 8 seconds by default and while hovered or focused (R-UI-21). */
  undo: showUndo,
  hideUndo: () => void notifications.hide(UNDO_ID),
  hide: (id: string) => void notifications.hide(id),
  /** Reports a failed call: the server's message or `fallback`, and what to do when the connection failed (R-UI-10). */
  failure: (error: unknown, fallback: string) => show('error', messageOf(error, fallback), hintOf(error)),
};
