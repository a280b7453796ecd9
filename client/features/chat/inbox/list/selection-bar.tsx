import { Button, Group, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { formatNumber } from '#client/lib/format.ts';
import { stateOf } from '../../state/model/list-order.ts';
import { listAtom } from '../../state/selectors.ts';
import { SnoozeMenu } from '../actions/snooze-menu.tsx';
import { type ActionResult, useConversationActions } from '../actions/use-conversation-actions.ts';
import chat from '../../chat.module.css';
import classes from './list.module.css';
import type { RowSelection } from './use-row-selection.ts';

type Props = {
  selection: RowSelection;
  /** The selection has ended; the focus goes back to the list. */
  onEnd: () => void;
};

/** Buttons for the selected rows. Rows that could not be changed stay selected. */
export function SelectionBar({ selection, onEnd }: Props) {
  const actions = useConversationActions();
  const { entries } = useAtomValue(listAtom);
  const { userIds } = selection;
  const isAnySnoozed = userIds.some((id) => {
    const summary = entries[id]?.summary;
    return summary !== undefined && stateOf(summary) === 'snoozed';
  });

  async function run(action: Promise<ActionResult>): Promise<void> {
    const { doneIds, unchangedIds } = await action;
    selection.remove(doneIds);
    if (unchangedIds.length === 0) onEnd();
  }
  const isDisabled = userIds.length === 0 || actions.busy;
  return (
    <section className={classes['selectionBar']} aria-label="Percakapan yang dipilih">
      <Group justify="space-between" gap={0}>
        <Text component="output" className="tabular" fw={700}>
          {formatNumber(userIds.length)} dipilih
        </Text>
        <Button
          variant="subtle"
          size="compact-md"
          className={chat['barButton'] ?? ''}
          onClick={() => {
            selection.setOn(false);
            onEnd();
          }}
        >
          Batal
        </Button>
      </Group>
      <Group gap="0.375rem">
        <Button
          size="compact-md"
          className={chat['barButton'] ?? ''}
          disabled={isDisabled}
          onClick={() => void run(actions.claim(userIds))}
        >
          Ambil
        </Button>
        <SnoozeMenu
          isSnoozed={isAnySnoozed}
          onSnooze={(until) => void run(actions.snooze(userIds, until))}
          onUnsnooze={() => void run(actions.unsnooze(userIds))}
        >
          <Button
            variant="default"
            size="compact-md"
            className={chat['barButton'] ?? ''}
            disabled={isDisabled}
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            Tunda
          </Button>
        </SnoozeMenu>
        <Button
          variant="default"
          size="compact-md"
          className={chat['barButton'] ?? ''}
          disabled={isDisabled}
          onClick={() => void run(actions.dismiss(userIds))}
        >
          Tidak perlu dibalas
        </Button>
      </Group>
    </section>
  );
}
