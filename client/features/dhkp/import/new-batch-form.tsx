import {
  Box,
  Button,
  FileButton,
  Group,
  NumberInput,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { IconFileSpreadsheet, IconFileUpload, IconSearch } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { v4 as newId } from 'uuid';
import { messageOf, hintOf } from '#client/lib/api/api-error.ts';
import { today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { type Failure, FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { DropTarget } from '#client/ui/fields/drop-target.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { LIST_FILE_MAX_BYTES, LIST_YEAR_MIN } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { createBatch, storeBatch } from '../api.ts';

const FILE_TYPES = '.xlsx,.xlsm,.xlsb,.xls,.ods,.csv,.tsv,.txt,.htm,.html';

type Source = 'file' | 'text';
const isSource = (value: string): value is Source => value === 'file' || value === 'text';

/** Takes a list as a file or as pasted cells. The server reads it at once, and the page of the import shows how far it is. */
export function NewBatchForm({ initialYear }: { initialYear: number }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [source, setSource] = useState<Source>('file');
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const [year, setYear] = useState<number | string>(initialYear);
  /** One for each choice, so that a repeated press makes one import. */
  const [clientId, setClientId] = useState(() => newId());
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSent, setIsSent] = useState(false);
  const yearMax = yearOf(today()) + 1;
  const isYearWrong = typeof year !== 'number' || year < LIST_YEAR_MIN || year > yearMax;
  useUnsavedWarning(!isSent && (file !== null || text.trim() !== ''));

  function choose(chosen: File | null | undefined): void {
    if (!chosen) return;
    setFile(chosen);
    setClientId(newId());
    setFailure(
      chosen.size > LIST_FILE_MAX_BYTES ? { message: dhkpTexts.fileTooLarge, hint: formatBytes(chosen.size) } : null,
    );
  }

  const { submit, busy } = useSubmit(async () => {
    setFailure(null);
    try {
      const content = source === 'text' ? { text } : file === null ? null : { file };
      if (content === null || (source === 'text' && text.trim() === '')) {
        setFailure({ message: source === 'text' ? 'Tempel sel daftar' : dhkpTexts.fileRequired });
        return;
      }
      if (isYearWrong) return;
      const batch = await createBatch({ ...content, year, client_id: clientId }, setProgress);
      storeBatch(queryClient, batch);
      setIsSent(true);
      // The warning about unsaved input must be gone before the page is left.
      setTimeout(() => void navigate(paths.adminDhkpBatch(batch.id)));
    } catch (error) {
      setFailure({ message: messageOf(error, 'Berkas gagal dikirim'), hint: hintOf(error) });
    } finally {
      setProgress(null);
    }
  });

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void submit();
  }

  return (
    <Paper component="section" withBorder p={{ base: 'sm', sm: 'lg' }} maw="46rem" aria-label="Impor baru">
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="md">
          <FormFailure failure={failure} />
          <Group align="flex-end" gap="md">
            <NumberInput
              label="Tahun pajak"
              w="8rem"
              value={year}
              onChange={(next) => {
                setYear(next);
                setClientId(newId());
              }}
              min={LIST_YEAR_MIN}
              max={yearMax}
              clampBehavior="none"
              allowDecimal={false}
              hideControls
              error={isYearWrong ? dhkpTexts.yearInvalid : undefined}
            />
            <SegmentedControl
              aria-label="Asal daftar"
              data={[
                { value: 'file', label: 'Berkas' },
                { value: 'text', label: 'Tempel' },
              ]}
              value={source}
              onChange={(value) => {
                if (isSource(value)) setSource(value);
                setClientId(newId());
              }}
            />
          </Group>
          {source === 'file' ? (
            <DropTarget onFile={choose}>
              <Paper withBorder p="md" radius="md">
                <Group gap="md">
                  <FileButton onChange={choose} accept={FILE_TYPES}>
                    {(button) => (
                      <Button
                        {...button}
                        variant={file ? 'default' : 'filled'}
                        leftSection={<IconFileUpload size={18} aria-hidden />}
                      >
                        {file ? 'Ganti berkas' : 'Pilih berkas'}
                      </Button>
                    )}
                  </FileButton>
                  <Box flex="1 1 14rem" miw={0}>
                    {file ? (
                      <Group component="output" gap="xs" wrap="nowrap">
                        <IconFileSpreadsheet size={20} aria-hidden style={{ flex: 'none' }} />
                        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                          {file.name} ({formatBytes(file.size)})
                        </Text>
                      </Group>
                    ) : (
                      <Text fz="sm" c="dimmed">
                        Excel (.xlsx, .xls, .xlsb), OpenDocument (.ods), atau CSV, paling besar 20 MB.
                      </Text>
                    )}
                  </Box>
                </Group>
              </Paper>
            </DropTarget>
          ) : (
            <Textarea
              label="Sel daftar"
              description="Salin baris beserta judul kolomnya dari Excel, lalu tempel di sini."
              minRows={6}
              maxRows={12}
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value);
                setClientId(newId());
              }}
            />
          )}
          <Text fz="sm" c="dimmed">
            Daftar belum berubah: Anda memeriksa hasil bacanya dulu, lalu menerapkannya.
          </Text>
          <Group justify="flex-end">
            <SaveButton
              busy={busy}
              busyLabel={progress === null ? 'Mengirim…' : `Mengirim… ${Math.round(progress * 100)}%`}
              leftSection={<IconSearch size={18} aria-hidden />}
            >
              Periksa
            </SaveButton>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
