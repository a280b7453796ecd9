import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { showDateShort } from '#client/lib/format.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { OwnClaim } from '#shared/api/dhkp/claims.ts';
import type { ClaimState } from '#shared/domain/dhkp/list-states.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { reloadClaims, withdrawClaim } from './api.ts';

const stateTexts: Record<ClaimState, (claim: OwnClaim) => string> = {
  open: () => 'Menunggu kantor',
  approved: () => 'Disetujui',
  rejected: ({ reason }) => `Ditolak: ${reason ?? ''}`,
};
const stateColors: Record<ClaimState, string> = {
  open: 'dimmed',
  approved: 'var(--mantine-color-green-light-color)',
  rejected: 'var(--mantine-color-error)',
};

/** The own requests with their answers (R-DHKP-42). */
export function OwnClaims({ claims }: { claims: readonly OwnClaim[] }) {
  const { withdraw, busy } = useWithdrawal();
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {claims.map((claim) => (
        <Group key={claim.id} component="li" justify="space-between" wrap="nowrap" mih={44}>
          <div style={{ minWidth: 0 }}>
            <Text fw={600} className="tabular" style={{ overflowWrap: 'anywhere' }}>
              {formatNop(claim.nop)}
            </Text>
            <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
              <Text component="span" inherit fw={500} c={stateColors[claim.state]}>
                {stateTexts[claim.state](claim)}
              </Text>
              {' · dikirim '}
              {showDateShort(claim.created_at)}
            </Text>
          </div>
          {claim.state === 'open' ? (
            <Button
              variant="default"
              px="sm"
              flex="none"
              aria-label={`Tarik permintaan ${formatNop(claim.nop)}`}
              aria-busy={busy || undefined}
              onClick={() => void withdraw(claim)}
            >
              Tarik
            </Button>
          ) : null}
        </Group>
      ))}
    </Stack>
  );
}

function useWithdrawal() {
  const queryClient = useQueryClient();
  const { submit, busy } = useSubmit(async ({ id, nop }: OwnClaim) => {
    const isConfirmed = await confirm({
      title: 'Tarik Permintaan',
      message: `Tarik permintaan NOP ${formatNop(nop)}? Kantor tidak menjawabnya lagi.`,
      confirmLabel: 'Tarik',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await withdrawClaim(id);
      notify.success('Permintaan ditarik');
    } catch (error) {
      notify.failure(error, 'Gagal menarik permintaan');
    }
    // An admin may have answered it meanwhile.
    await reloadClaims(queryClient);
  });
  return { withdraw: submit, busy };
}
