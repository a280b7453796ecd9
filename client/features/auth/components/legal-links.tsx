import { Text } from '@mantine/core';
import { LegalTextLinks } from '#client/features/own-data/display/legal-text-links.tsx';

/** The terms of a registration. */
export function LegalLinks() {
  return (
    <div>
      <Text fz="sm" c="dimmed">
        Dengan mendaftar, Anda menyetujui:
      </Text>
      <LegalTextLinks />
    </div>
  );
}
