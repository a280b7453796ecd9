import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { ClaimLink } from '#client/features/tax-records/display/claim-link.tsx';
import { paths } from '#client/paths.ts';
import classes from './first-steps.module.css';

const steps = [
  { title: 'Siapkan SPPT PBB', text: 'Lembar tagihan PBB dari kantor desa atau kelurahan.' },
  { title: 'Catat datanya', text: 'Alamat, NOP (nomor SPT, 18 angka), jumlah, dan tanggal jatuh tempo.' },
  { title: 'Bayar, lalu unggah buktinya', text: 'Foto struk pembayaran tersimpan bersama datanya.' },
] as const;

/** Explains the first day in three steps, in place of what is owed (R-STAT-12). */
export function FirstSteps() {
  const headingId = useId();
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-labelledby={headingId}>
      <Title order={2} id={headingId} mb="sm">
        Mulai dengan tiga langkah
      </Title>
      <ol className={classes['steps']}>
        {steps.map(({ title, text }, index) => (
          <li key={title} className={classes['step']}>
            <span className={classes['number']} aria-hidden>
              {index + 1}
            </span>
            <div className={classes['text']}>
              <Text fw={600}>{title}</Text>
              <Text c="dimmed" fz="sm">
                {text}
              </Text>
            </div>
          </li>
        ))}
      </ol>
      <Group gap="xs" mt="md">
        <Button component={Link} to={paths.recordCreate} leftSection={<IconPlus size={18} aria-hidden />}>
          Tambah data PBB pertama
        </Button>
        <ClaimLink />
      </Group>
    </Paper>
  );
}
