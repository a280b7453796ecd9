import { useState } from 'react';
import { currentSession } from '#client/lib/session/session.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';

/** Says on a page that is open with a session, too, whose account this device leaves. @param hint the account that comes next */
export function SignedInNotice({ hint }: { hint: string }) {
  // The session that is opened here is not meant.
  const [user] = useState(() => currentSession()?.user ?? null);
  return user ? <FormAlert kind="info" message={`Anda sedang masuk sebagai ${user.name}.`} hint={hint} /> : null;
}
