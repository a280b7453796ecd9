import { Anchor, Button, CloseButton } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { Placeholder } from '#shared/domain/reply-template.ts';
import classes from './quick-replies.module.css';
import { readableName } from './use-missing-parts.ts';

/** The server leaves this open only while no hours are stored (R-REPLY-4). */
const HOURS = 'jam_layanan';

type Props = {
  open: readonly Placeholder[];
  /** Sending was refused because of the first one. */
  isReminder: boolean;
  onSelect: (placeholder: Placeholder) => void;
  onIgnore: (name: string) => void;
};

/** Below the field: what a quick reply left open. A press selects it in the field. */
export function MissingParts({ open, isReminder, onSelect, onIgnore }: Props) {
  const [first] = open;
  if (!first) return null;
  const byName = new Map(open.toReversed().map((placeholder) => [placeholder.name, placeholder]));
  return (
    <div className={classes['missing']}>
      <p
        className={classes['missingLabel']}
        role={isReminder ? 'alert' : undefined}
        data-wrong={isReminder || undefined}
      >
        {isReminder ? `Lengkapi: ${readableName(first)}` : 'Belum lengkap:'}
      </p>
      {[...byName.values()].toReversed().map((placeholder) => (
        <span key={placeholder.name} className={classes['chip']}>
          <Button
            variant="subtle"
            color="orange"
            size="compact-md"
            mih={44}
            aria-label={`Lengkapi: ${readableName(placeholder)}`}
            onClick={() => onSelect(placeholder)}
          >
            {readableName(placeholder)}
          </Button>
          <CloseButton
            size={44}
            iconSize={18}
            aria-label={`Biarkan {${placeholder.isPrompt ? '?' : ''}${placeholder.name}} apa adanya`}
            title="Biarkan apa adanya"
            onClick={() => onIgnore(placeholder.name)}
          />
        </span>
      ))}
      {byName.has(HOURS) ? (
        <p className={classes['missingLabel']}>
          Jam layanan belum pernah diisi.{' '}
          <Anchor component={Link} to={paths.adminOfficeHours} inherit>
            Isi jam layanan
          </Anchor>
        </p>
      ) : null}
    </div>
  );
}
