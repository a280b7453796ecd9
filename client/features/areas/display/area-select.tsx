import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { areasQuery } from '../api.ts';

type Props = {
  label: string;
  description?: ReactNode;
  placeholder?: string;
  /** The id of the area; '' for none. */
  value: string;
  onChange: (areaId: string, path: string) => void;
};

/** Picks one area of the village by its path, `Krajan / RW 02 / RT 05`. */
export function AreaSelect({ label, description, placeholder, value, onChange }: Props) {
  const { data, isError, isPending } = useQuery(areasQuery);
  const areas = data ?? [];
  return (
    <Select
      label={label}
      description={description}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Kosongkan wilayah' }}
      data={areas.map(({ id, path }) => ({ value: id, label: path }))}
      value={areas.some(({ id }) => id === value) ? value : null}
      onChange={(id) => onChange(id ?? '', areas.find((area) => area.id === id)?.path ?? '')}
      nothingFoundMessage={isError ? 'Gagal memuat wilayah' : isPending ? 'Memuat…' : 'Wilayah tidak ditemukan'}
      maxDropdownHeight={320}
      autoComplete="off"
    />
  );
}
