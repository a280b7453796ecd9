import { Anchor, Badge, Box, Button, Group, Paper, Text } from '@mantine/core';
import { IconArrowBackUp, IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { canDiscard } from '../api.ts';
import { countsText, stateColors, stateText } from './batch-texts.ts';
import { RevertDialog } from './revert-dialog.tsx';
import { useBatchActions } from './use-batch-actions.ts';

type Props = {
  batch: Batch;
  /** The import that was applied last in its year. */
  isNewest: boolean;
};

/** One import in the list of imports. */
export function BatchCard({ batch, isNewest }: Props) {
  const { download, discard } = useBatchActions();
  const [isReverting, setIsReverting] = useState(false);
  const { state, file_name: name } = batch;
  const isApplied = state === 'applied' || state === 'reverted';
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" align="flex-start" gap="0.5rem 1rem">
        <Box flex="1 1 20rem" miw={0}>
          <Group gap="0.25rem 0.75rem">
            <Anchor component={Link} to={paths.adminDhkpBatch(batch.id)} fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Anchor>
            <Badge variant="light" color={stateColors[state]}>
              {stateText(batch)}
            </Badge>
          </Group>
          <Text fz="sm" c="dimmed">
            Tahun {batch.year} · {batch.by_name} · {showDateTime(batch.applied_at ?? batch.created_at)}
          </Text>
          {isApplied || state === 'ready' ? (
            <Text fz="sm" className="tabular">
              {countsText(batch)} · <Money amount={batch.control.computed.amount} />
            </Text>
          ) : null}
          {batch.message === null ? null : <Text fz="sm">{batch.message}</Text>}
          {batch.control_reason === null ? null : <Text fz="sm">Alasan selisih: {batch.control_reason}</Text>}
          {batch.revert_reason === null ? null : <Text fz="sm">Alasan pembatalan: {batch.revert_reason}</Text>}
        </Box>
        <Group gap="xs">
          {batch.has_file ? (
            <Button
              variant="default"
              px="sm"
              leftSection={<IconDownload size={18} aria-hidden />}
              aria-label={`Unduh berkas ${name}`}
              onClick={() => void download(batch)}
            >
              Unduh berkas
            </Button>
          ) : null}
          {isNewest ? (
            <Button
              variant="subtle"
              color="red"
              px="sm"
              leftSection={<IconArrowBackUp size={18} aria-hidden />}
              aria-label={`Batalkan impor ${name}`}
              onClick={() => setIsReverting(true)}
            >
              Batalkan impor
            </Button>
          ) : null}
          {canDiscard(state) ? (
            <Button
              variant="subtle"
              color="red"
              px="sm"
              leftSection={<IconTrash size={18} aria-hidden />}
              aria-label={`Buang ${name}`}
              onClick={() => void discard(batch)}
            >
              Buang
            </Button>
          ) : null}
        </Group>
      </Group>
      {isReverting ? <RevertDialog batch={batch} onClose={() => setIsReverting(false)} /> : null}
    </Paper>
  );
}
