import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Area } from '#shared/api/areas.ts';
import { AREA_KINDS, type AreaKind } from '#shared/domain/dhkp/area-names.ts';
import { AREA_NAME_MAX } from '#shared/limits.ts';
import { areaTexts } from '#shared/texts.ts';
import { type AreaFields, areasQuery, createArea, updateArea } from './api.ts';

export const areaKindLabels: Record<AreaKind, string> = { dusun: 'Dusun', rw: 'RW', rt: 'RT' };

/** Whether an area of one kind may stand below one of another: a dusun has RW and RT, an RW has RT. */
const fitsBelow = (kind: AreaKind, parent: AreaKind): boolean => AREA_KINDS.indexOf(parent) < AREA_KINDS.indexOf(kind);

type Props = {
  /** The area that is edited; null for a new one. */
  area: Area | null;
  /** The area above a new one, if any. */
  parent: Area | null;
  areas: readonly Area[];
  onClose: () => void;
};

/** The form of one area. */
export function AreaDialog({ area, parent, areas, onClose }: Props) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(area?.name ?? '');
  const [kind, setKind] = useState<AreaKind>(area?.kind ?? (parent?.kind === 'dusun' ? 'rw' : parent ? 'rt' : 'dusun'));
  const [parentId, setParentId] = useState(area?.parent_id ?? parent?.id ?? '');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isNameMissing, setIsNameMissing] = useState(false);
  const parents = areas.filter((each) => each.id !== area?.id && fitsBelow(kind, each.kind));

  const { submit, busy } = useSubmit(async (fields: AreaFields) => {
    setFailure(null);
    try {
      if (area === null) await createArea(fields);
      else await updateArea(area.id, fields, area.updated_at);
      notify.success('Wilayah berhasil disimpan');
      onClose();
    } catch (error) {
      setFailure(failureOf(error, 'Wilayah gagal disimpan'));
    } finally {
      await queryClient.invalidateQueries({ queryKey: areasQuery.queryKey });
    }
  });

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    setIsNameMissing(name.trim() === '');
    if (name.trim() === '') return;
    const fits = parents.some(({ id }) => id === parentId);
    void submit({ name, kind, parent_id: fits ? parentId : null });
  }

  return (
    <Modal opened onClose={onClose} title={area === null ? 'Tambah wilayah' : 'Ubah wilayah'}>
      <DialogForm
        state={{ failure, busy, onSubmit }}
        send={{ label: 'Simpan', 'aria-label': 'Simpan (Save)' }}
        onCancel={onClose}
      >
        <NativeSelect
          label="Jenis"
          data={AREA_KINDS.map((value) => ({ value, label: areaKindLabels[value] }))}
          value={kind}
          onChange={(event) => {
            const chosen = AREA_KINDS.find((each) => each === event.currentTarget.value);
            if (chosen) setKind(chosen);
          }}
        />
        <TextInput
          label="Nama"
          placeholder={kind === 'dusun' ? 'Krajan' : '01'}
          data-autofocus
          required
          maxLength={AREA_NAME_MAX}
          autoComplete="off"
          value={name}
          error={isNameMissing ? areaTexts.nameRequired : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {kind === 'dusun' ? null : (
          <NativeSelect
            label="Di dalam"
            data={[
              { value: '', label: 'Tidak di dalam wilayah lain' },
              ...parents.map(({ id, path }) => ({ value: id, label: path })),
            ]}
            value={parents.some(({ id }) => id === parentId) ? parentId : ''}
            onChange={(event) => setParentId(event.currentTarget.value)}
          />
        )}
      </DialogForm>
    </Modal>
  );
}
