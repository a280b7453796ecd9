import { ErasuresPage } from '#client/features/erasures/erasures-page.tsx';
import { RecoveriesPage } from '#client/features/recoveries/recoveries-page.tsx';

/** One chunk holds both: the first load of every user names each further chunk. */

export function AdminRecoveriesPage() {
  return <RecoveriesPage />;
}

export function AdminErasuresPage() {
  return <ErasuresPage />;
}
