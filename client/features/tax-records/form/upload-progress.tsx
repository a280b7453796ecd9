import { Progress, Text } from '@mantine/core';

/** How much of a photo is sent. @param fraction from 0 to 1 */
export function UploadProgress({ fraction }: { fraction: number }) {
  const percent = Math.round(fraction * 100);
  return (
    <div>
      <Text fz="sm" mb={4} className="tabular">
        {percent < 100 ? `Mengunggah ${percent} %` : 'Foto terkirim. Menunggu server…'}
      </Text>
      <Progress value={percent} aria-label="Mengunggah foto" />
    </div>
  );
}
