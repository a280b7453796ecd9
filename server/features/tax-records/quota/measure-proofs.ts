import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceContext } from '#server/service-context.ts';
import { listUnmeasuredProofs, storeProofBytes } from './quota-queries.ts';

const PROOFS_PER_TRANSACTION = 100;

/** Stores the size of each image that has none yet: after the update from version 1.0.0, and after restoring its backup. */
export async function measureProofs({ orm, write, proofsDir }: ServiceContext): Promise<void> {
  const proofs = listUnmeasuredProofs(orm);
  for (let from = 0; from < proofs.length; from += PROOFS_PER_TRANSACTION) {
    const slice = proofs.slice(from, from + PROOFS_PER_TRANSACTION);
    const measured = await Promise.all(
      slice.map(async (proof) => {
        // A missing image takes no room.
        const file = await stat(join(proofsDir, proof.proofFile)).catch(() => null);
        return { proof, bytes: file?.size ?? 0 };
      }),
    );
    await write((tx) => {
      for (const { proof, bytes } of measured) storeProofBytes(tx, proof, bytes);
    });
  }
}
