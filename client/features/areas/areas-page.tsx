import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconMap2, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { Area } from '#shared/api/areas.ts';
import { areasQuery, deleteArea } from './api.ts';
import { AreaDialog, areaKindLabels } from './area-dialog.tsx';

/** An area that is edited, or a new one below another. */
type Editing = { area: Area | null; parent: Area | null };

/** /admin/settings/areas: the parts of the village as a tree. */
export function AreasPage() {
  usePageTitle('Wilayah');
  const queryClient = useQueryClient();
  const query = useQuery(areasQuery);
  const [editing, setEditing] = useState<Editing | null>(null);

  async function remove(area: Area): Promise<void> {
    const isConfirmed = await confirm({
      title: 'Hapus wilayah',
      message: `${area.path} dihapus. Objek dan wilayah lain tidak ikut terhapus.`,
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await deleteArea(area.id);
      notify.success('Wilayah dihapus');
    } catch (error) {
      notify.failure(error, 'Wilayah gagal dihapus');
    } finally {
      await queryClient.invalidateQueries({ queryKey: areasQuery.queryKey });
      focusHeading();
    }
  }

  const addButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing({ area: null, parent: null })}>
      Tambah wilayah
    </Button>
  );
  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Wilayah"
        description={
          <>
            Dusun, RW, dan RT desa. Blok mana termasuk wilayah mana diatur di{' '}
            <Anchor component={Link} to={paths.adminDhkpSettings} inherit underline="always">
              Pengaturan DHKP
            </Anchor>
            .
          </>
        }
        actions={addButton}
      />
      <QueryView
        isPage
        query={query}
        failedText="Gagal memuat wilayah"
        loading={{ text: 'Memuat wilayah…', rows: 5, height: 56 }}
      >
        {(areas) =>
          areas.length === 0 ? (
            <Paper withBorder>
              <EmptyState
                icon={IconMap2}
                title="Belum ada wilayah"
                description="Mulai dengan dusun, lalu tambahkan RW dan RT di bawahnya."
              />
            </Paper>
          ) : (
            <Paper withBorder px="md" py="xs" maw="46rem">
              <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
                {areas.map((area) => (
                  <AreaLine
                    key={area.id}
                    area={area}
                    depth={depthOf(area, areas)}
                    onAdd={() => setEditing({ area: null, parent: area })}
                    onEdit={() => setEditing({ area, parent: null })}
                    onRemove={() => void remove(area)}
                  />
                ))}
              </Stack>
            </Paper>
          )
        }
      </QueryView>
      {editing ? (
        <AreaDialog
          area={editing.area}
          parent={editing.parent}
          areas={query.data ?? []}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </>
  );
}

function depthOf({ parent_id: parentId }: Area, areas: readonly Area[]): number {
  const parent = areas.find(({ id }) => id === parentId);
  return parent ? depthOf(parent, areas) + 1 : 0;
}

type LineProps = { area: Area; depth: number; onAdd: () => void; onEdit: () => void; onRemove: () => void };

function AreaLine({ area, depth, onAdd, onEdit, onRemove }: LineProps) {
  return (
    <Group component="li" justify="space-between" gap="0 0.5rem" mih="2.75rem" pl={`${depth * 1.5}rem`}>
      <Text style={{ overflowWrap: 'anywhere' }} miw={0}>
        <Text span c="dimmed" fz="sm">
          {areaKindLabels[area.kind]}
        </Text>{' '}
        <Text span fw={depth === 0 ? 600 : 400}>
          {area.name}
        </Text>
      </Text>
      <Group gap={4} wrap="nowrap">
        {area.kind === 'rt' ? null : (
          <Button variant="subtle" px={6} aria-label={`Tambah di ${area.path}`} onClick={onAdd}>
            Tambah
          </Button>
        )}
        <Button variant="subtle" px={6} aria-label={`Ubah ${area.path}`} onClick={onEdit}>
          Ubah
        </Button>
        <Button variant="subtle" color="red" px={6} aria-label={`Hapus ${area.path}`} onClick={onRemove}>
          Hapus
        </Button>
      </Group>
    </Group>
  );
}
