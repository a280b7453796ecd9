import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';

type Props = { progress: { fetchedCount: number; total: number; name: string }; onCancel: () => void };

/** The progress of fetching the records for a file or a print. */
export function ExportProgress({ progress: { fetchedCount, total, name }, onCancel }: Props) {
  const complete = total > 0 && fetchedCount >= total;
  return (
    <Paper withBorder p="md" mb="md" className="no-print">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text component="output" display="block" className="tabular">
          {complete || total === 0
            ? `Menyiapkan ${name}…`
            : `Mengambil data ${formatNumber(fetchedCount)} dari ${formatNumber(total)}…`}
        </Text>
        {complete ? null : (
          <Button variant="subtle" color="gray" px="sm" onClick={onCancel}>
            Batal
          </Button>
        )}
      </Group>
      <Progress
        value={total > 0 ? (fetchedCount / total) * 100 : 100}
        animated={complete || total === 0}
        aria-label={`Menyiapkan ${name}`}
      />
    </Paper>
  );
}
