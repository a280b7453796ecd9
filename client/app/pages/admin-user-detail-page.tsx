import { UserAudit } from '#client/features/audit/display/user-audit.tsx';
import { ConversationSection } from '#client/features/chat/excerpt/conversation-section.tsx';
import { OverdueSection } from '#client/features/tax-records/of-user/overdue-section.tsx';
import { UserRecordsSection } from '#client/features/tax-records/of-user/records-section.tsx';
import { AccountSection } from '#client/features/users/detail/account-section.tsx';
import { CardSection } from '#client/features/users/detail/card-section.tsx';
import { FactorSection } from '#client/features/users/detail/factor-section.tsx';
import { PhoneSection } from '#client/features/users/detail/phone-section.tsx';
import { UserDetail } from '#client/features/users/detail/detail-page.tsx';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import type { AdminAccountAnswer } from '#shared/api/users.ts';
import classes from './admin-user-detail-page.module.css';

const PHONE_MAX_EM = 48;

/** The page of one user, joined from what each feature knows of the user. */
export function AdminUserDetailPage() {
  return <UserDetail renderSections={renderSections} />;
}

function renderSections(user: AdminAccountAnswer) {
  return <Sections key={user.id} user={user} />;
}

function Sections({ user }: { user: AdminAccountAnswer }) {
  // On a phone a long list of records would push the conversation out of sight.
  const isPhone = !useWideScreen(PHONE_MAX_EM);
  // Admins have no records and no conversation.
  const isOwner = !user.is_admin;
  return (
    <div className={classes['columns']}>
      <div className={classes['column']}>
        {isOwner ? (
          <>
            <OverdueSection userId={user.id} />
            {isPhone ? <ConversationSection user={user} /> : null}
            <UserRecordsSection userId={user.id} />
          </>
        ) : (
          <UserAudit user={user} />
        )}
      </div>
      <div className={classes['column']}>
        {isOwner && !isPhone ? <ConversationSection user={user} /> : null}
        <AccountSection user={user} />
        {isOwner ? <CardSection user={user} /> : null}
        <FactorSection user={user} />
        {user.has_email ? null : <PhoneSection key={user.updated_at} user={user} />}
        {isOwner ? <UserAudit user={user} /> : null}
      </div>
    </div>
  );
}
