import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import type { ExportState } from './use-export.ts';

/** The current step of the export; `percent` is null while that is not known. */
function describe({ name, step, done, total }: ExportState): { text: string; percent: number | null } {
  const percent = total > 0 && done > 0 ? Math.min(100, (done / total) * 100) : null;
  if (step === 'collect' && total > 0)
    return { text: `Mengambil data ${formatNumber(done)} dari ${formatNumber(total)}…`, percent };
  if (step === 'collect' || total === 0) return { text: `Menyiapkan ${name}…`, percent: null };
  return percent === null
    ? { text: `Menyusun ${name} dari ${formatNumber(total)} data…`, percent }
    : { text: `Menyusun ${name}: ${formatNumber(Math.min(done, total))} dari ${formatNumber(total)} data…`, percent };
}

type Props = { state: ExportState; onCancel: () => void };

/** The progress of a file or a print, in words and as a bar, with the button that cancels it. */
export function ExportProgress({ state, onCancel }: Props) {
  const { text, percent } = describe(state);
  return (
    <Paper withBorder p="md" mb="md" className="no-print">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text component="output" display="block" className="tabular">
          {text}
        </Text>
        <Button variant="subtle" color="gray" px="sm" onClick={onCancel}>
          Batal
        </Button>
      </Group>
      <Progress value={percent ?? 100} animated={percent === null} aria-label={`Menyiapkan ${state.name}`} />
    </Paper>
  );
}
