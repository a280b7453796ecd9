import { Badge, Box, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconDownload, IconMessageBolt, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import {
  createQuickReply,
  deleteQuickReply,
  quickRepliesKey,
  quickRepliesQuery,
  type QuickReplyFields,
} from './api.ts';
import { useReloadQuickReplies } from './display/use-reload-quick-replies.ts';
import classes from './quick-replies.module.css';
import { ReplyForm } from './reply-form.tsx';
import { searchReplies } from './display/search-replies.ts';
import { useImportSamples } from './use-import-samples.ts';

const emptyFields: QuickReplyFields = { shortcut: '', title: '', content: '', personal: false };
const fieldsOf = ({ shortcut, title, content, personal }: QuickReply): QuickReplyFields => ({
  shortcut,
  title,
  content,
  personal,
});

/** /admin/settings/quick-replies: the prepared answers of the admins (R-REPLY-1, R-REPLY-10). */
export function QuickRepliesPage() {
  usePageTitle('Balasan Cepat');
  useReloadQuickReplies();
  const queryClient = useQueryClient();
  const query = useQuery(quickRepliesQuery);
  const { importSamples, busy: isImporting, failure: importFailure } = useImportSamples();
  const [editing, setEditing] = useState<{ reply: QuickReply | null; initial: QuickReplyFields } | null>(null);

  async function restore(reply: QuickReply): Promise<void> {
    try {
      await createQuickReply(fieldsOf(reply));
      await queryClient.invalidateQueries({ queryKey: quickRepliesKey });
    } catch (failure) {
      notify.failure(failure, 'Balasan cepat gagal dikembalikan');
      // Its text must not be lost with the toast.
      setEditing({ reply: null, initial: fieldsOf(reply) });
    }
  }

  const { submit: remove } = useSubmit(async (reply: QuickReply) => {
    try {
      await deleteQuickReply(reply.id);
    } catch (failure) {
      notify.failure(failure, 'Balasan cepat gagal dihapus');
      return;
    } finally {
      await queryClient.invalidateQueries({ queryKey: quickRepliesKey });
    }
    notify.undo({ message: `Balasan /${reply.shortcut} dihapus`, onUndo: () => void restore(reply) });
  });

  const importButton = (
    <Button
      variant="light"
      loading={isImporting}
      leftSection={<IconDownload size={18} aria-hidden />}
      onClick={importSamples}
    >
      {importFailure ? 'Lanjutkan impor balasan contoh' : 'Impor sepuluh balasan contoh'}
    </Button>
  );

  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Balasan Cepat"
        description="Jawaban siap pakai. Ketik / di kolom pesan untuk menyisipkannya dengan data warga yang sebenarnya."
        actions={
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => setEditing({ reply: null, initial: emptyFields })}
          >
            Tambah balasan
          </Button>
        }
      />
      <Stack gap="md">
        {importFailure ? (
          <>
            <FormFailure failure={importFailure} />
            {query.data && query.data.length > 0 ? <div>{importButton}</div> : null}
          </>
        ) : null}
        <QueryView
          query={query}
          failedText="Gagal memuat balasan cepat"
          loading={{ text: 'Memuat balasan cepat…', rows: 2, height: 88 }}
        >
          {(replies) =>
            replies.length === 0 ? (
              <EmptyState
                icon={IconMessageBolt}
                title="Belum ada balasan cepat"
                description="Mulai dengan contoh yang sering dibutuhkan kantor PBB, lalu sesuaikan, atau tulis sendiri."
                action={importButton}
              />
            ) : (
              <FoundReplies
                replies={replies}
                onEdit={(reply) => setEditing({ reply, initial: fieldsOf(reply) })}
                onRemove={(reply) => void remove(reply)}
              />
            )
          }
        </QueryView>
      </Stack>
      {editing ? (
        <ReplyForm
          key={editing.reply?.id ?? editing.initial.shortcut}
          reply={editing.reply}
          initial={editing.initial}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </>
  );
}

type FoundProps = {
  replies: readonly QuickReply[];
  onEdit: (reply: QuickReply) => void;
  onRemove: (reply: QuickReply) => void;
};

/** The replies that a search finds; all of them without one. */
function FoundReplies({ replies, onEdit, onRemove }: FoundProps) {
  const [search, setSearch] = useState('');
  const found = searchReplies(replies, search);
  return (
    <>
      <SearchField
        label="Cari balasan"
        hideLabel
        placeholder="Cari singkatan, judul, atau isi"
        value={search}
        onSearch={setSearch}
      />
      <VisuallyHidden component="output">{found.length} balasan</VisuallyHidden>
      {found.length === 0 ? <EmptyState title="Tidak ada balasan yang cocok" /> : null}
      <Stack component="ul" gap="sm" m={0} p={0}>
        {found.map((reply) => (
          <Paper key={reply.id} component="li" withBorder p="md" display="block">
            <Group justify="space-between" align="flex-start" gap="0.5rem 1rem">
              <Box flex="1 1 18rem" miw={0}>
                <Group align="baseline" gap="0.25rem 0.75rem" className={classes['head'] ?? ''}>
                  <Title order={2} fz="md">
                    /{reply.shortcut}
                  </Title>
                  <Text component="span" miw={0}>
                    {reply.title}
                  </Text>
                  <Badge variant="light" color={reply.personal ? 'grape' : 'laut'}>
                    {reply.personal ? 'Hanya saya' : 'Semua admin'}
                  </Badge>
                </Group>
                <p className={classes['content']} dir="auto">
                  {reply.content}
                </p>
              </Box>
              <Group gap={8} wrap="nowrap">
                <Button variant="default" aria-label={`Ubah /${reply.shortcut}`} onClick={() => onEdit(reply)}>
                  Ubah
                </Button>
                <Button
                  variant="subtle"
                  color="red"
                  aria-label={`Hapus /${reply.shortcut}`}
                  onClick={() => onRemove(reply)}
                >
                  Hapus
                </Button>
              </Group>
            </Group>
          </Paper>
        ))}
      </Stack>
    </>
  );
}
