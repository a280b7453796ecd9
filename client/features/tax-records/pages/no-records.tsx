import { Button, Group, Paper } from '@mantine/core';
import { IconFilterOff, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ClaimLink } from '../display/claim-link.tsx';
import { recordPaths, type RecordScope } from '../scope.ts';

type Props = {
  scope: RecordScope;
  title: string;
  description: string;
  createLabel: string;
  /** Clears the filter that hides all records. Left out when there are none: then a record can be created. */
  onClear: (() => void) | undefined;
};

/** Takes the place of a list without rows. */
export function NoRecords({ scope, title, description, createLabel, onClear }: Props) {
  return (
    <Paper withBorder>
      <EmptyState
        title={title}
        description={description}
        action={
          onClear ? (
            <Button variant="light" leftSection={<IconFilterOff size={18} aria-hidden />} onClick={onClear}>
              Tampilkan semua data
            </Button>
          ) : (
            <Group justify="center" gap="xs">
              <Button component={Link} to={recordPaths[scope].create} leftSection={<IconPlus size={18} aria-hidden />}>
                {createLabel}
              </Button>
              {scope === 'own' ? <ClaimLink /> : null}
            </Group>
          )
        }
      />
    </Paper>
  );
}
