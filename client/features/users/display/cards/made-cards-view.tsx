import { Box, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconPrinter, IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import type { ConfirmOptions } from '#client/ui/feedback/confirm.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { usePrintSheet } from '#client/ui/print/print-sheet.tsx';
import { CardSheet } from './card-sheet.tsx';
import type { CardHolder, HeldCard, MissingCard } from './use-card-batch.ts';

export const LEAVE_CARDS_QUESTION: ConfirmOptions = {
  title: 'Tinggalkan kartu ini?',
  message: 'Kode di kartu tidak ditampilkan lagi. Kartu yang belum dicetak harus dibuat baru.',
  confirmLabel: 'Tinggalkan',
  cancelLabel: 'Tetap di sini',
  danger: true,
};

type Props = {
  cards: readonly HeldCard[];
  missing: readonly MissingCard[];
  /** Prints as soon as the cards are there. */
  printsAtOnce?: boolean;
  onRetry: (holders: readonly CardHolder[]) => void;
  onDone: () => void;
};

/** The new cards to print, and the people whose card could not be made. The codes can never be shown again. */
export function MadeCardsView({ cards, missing, printsAtOnce = false, onRetry, onDone }: Props) {
  const print = usePrintSheet();
  const done = useRef<HTMLButtonElement>(null);
  const isPrinted = useRef(!printsAtOnce);
  useUnsavedWarning(cards.length > 0, LEAVE_CARDS_QUESTION);
  // The pressed button no longer exists.
  useEffect(() => done.current?.focus(), []);
  useEffect(() => {
    if (isPrinted.current) return;
    isPrinted.current = true;
    print();
  }, [print]);
  const retried = missing.flatMap(({ holder }) => (holder ? [holder] : []));
  return (
    <Stack gap="md">
      {cards.length > 0 ? (
        <>
          <Text>
            {cards.length === 1 ? 'Kartu sudah dibuat.' : `${formatNumber(cards.length)} kartu sudah dibuat.`} Kodenya
            hanya ditampilkan sekarang.
          </Text>
          <CodeList cards={cards} />
          <CardSheet cards={cards} />
        </>
      ) : null}
      {missing.length > 0 ? <MissingList missing={missing} /> : null}
      <Group justify="flex-end" gap="sm" className="dialog-actions">
        {retried.length > 0 ? (
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={() => onRetry(retried)}
          >
            Coba lagi ({formatNumber(retried.length)})
          </Button>
        ) : null}
        {cards.length > 0 ? (
          <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={print}>
            Cetak
          </Button>
        ) : null}
        <Button ref={done} onClick={onDone}>
          {cards.length > 0 ? 'Sudah saya cetak' : 'Tutup'}
        </Button>
      </Group>
    </Stack>
  );
}

/** The codes, for an office whose printer does not work just now. */
function CodeList({ cards }: { cards: readonly HeldCard[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard
    <Box component="section" tabIndex={0} aria-label="Kartu yang dibuat" mah="40vh" style={{ overflowY: 'auto' }}>
      <Stack gap="sm">
        {cards.map(({ code, activation, holder }) => (
          <div key={code}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {holder.name}
            </Text>
            <Group gap="0 1.5rem">
              <Text>
                Kode kartu{' '}
                <Text component="code" inherit ff="monospace" fw={700}>
                  {code}
                </Text>
              </Text>
              <Text>
                Kode aktivasi{' '}
                <Text component="code" inherit ff="monospace" fw={700}>
                  {activation}
                </Text>
              </Text>
            </Group>
          </div>
        ))}
      </Stack>
    </Box>
  );
}

function MissingList({ missing }: { missing: readonly MissingCard[] }) {
  return (
    <>
      <FormAlert kind="warning" message={`${formatNumber(missing.length)} kartu tidak dibuat`} />
      <List spacing="xs" mah="30vh" style={{ overflowY: 'auto' }} tabIndex={0} aria-label="Kartu yang tidak dibuat">
        {missing.map(({ key, name, reason }) => (
          <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
            <b>{name}</b>: {reason}
          </List.Item>
        ))}
      </List>
    </>
  );
}
