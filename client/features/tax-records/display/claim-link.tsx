import { Button } from '@mantine/core';
import { IconBuildingCommunity } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';

/** Leads to the request for an object of the office's list (R-DHKP-42). */
export function ClaimLink() {
  return (
    <Button
      component={Link}
      to={paths.recordClaims}
      variant="light"
      leftSection={<IconBuildingCommunity size={18} aria-hidden />}
    >
      Ambil dari daftar kantor
    </Button>
  );
}
