import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import classes from '#client/ui/list/list.module.css';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { Candidate, Match } from '#shared/api/dhkp/linking.ts';
import { matchReasonLabels } from '#shared/domain/dhkp/match-reasons.ts';
import { objectLabel } from '../display/assessment-texts.ts';
import { type Pair, useLinkMatch } from './use-link-match.ts';

const TABLE_FROM_EM = 62;

/** Objects with their candidates: one press links, and the next pair has the focus. `display/list-keys.ts` lists its keys. */
export function MatchList({ matches }: { matches: readonly Match[] }) {
  const { shown, list, onFocus, refusalOf, link, busy } = useLinkMatch(matches);
  const Pairs = useWideScreen(TABLE_FROM_EM) ? PairTable : PairCards;
  return (
    <div ref={list} onFocus={onFocus} aria-busy={busy}>
      <Pairs
        pairs={shown}
        renderCandidates={(pair, isLarge) => (
          <Stack gap={4}>
            <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="lg" verticalSpacing={4}>
              {pair.candidates.map((candidate, index) => (
                <CandidateLine
                  key={candidate.user.id}
                  candidate={candidate}
                  object={pair.assessment}
                  isFirst={index === 0}
                  isLarge={isLarge}
                  onLink={() => void link(pair, candidate)}
                />
              ))}
            </SimpleGrid>
            <FormFailure failure={refusalOf(pair.id)} />
          </Stack>
        )}
      />
    </div>
  );
}

type PairsProps = {
  pairs: readonly Pair[];
  renderCandidates: (pair: Pair, isLarge: boolean) => ReactNode;
};

function PairTable({ pairs, renderCandidates }: PairsProps) {
  return (
    <Paper withBorder radius="md" className={classes['frame'] ?? ''}>
      <Table layout="fixed" verticalSpacing={4}>
        <Table.Thead className={classes['head'] ?? ''} fz="xs">
          <Table.Tr>
            <Table.Th scope="col" w="36%">
              Objek
            </Table.Th>
            <Table.Th scope="col">Calon pemilik</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {pairs.map((pair) => (
            <Table.Tr key={pair.id} data-row>
              <Table.Td>
                <ObjectFacts assessment={pair.assessment} lines={1} />
              </Table.Td>
              <Table.Td>{renderCandidates(pair, false)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function PairCards({ pairs, renderCandidates }: PairsProps) {
  return (
    <ul className={classes['cards']}>
      {pairs.map((pair) => (
        <Paper key={pair.id} component="li" withBorder radius="md" p="sm" data-row>
          <Stack gap="xs">
            <ObjectFacts assessment={pair.assessment} lines={3} />
            {renderCandidates(pair, true)}
          </Stack>
        </Paper>
      ))}
    </ul>
  );
}

/** @param lines the most lines of the name and of the address */
function ObjectFacts({ assessment, lines }: { assessment: Assessment; lines: number }) {
  const { id, nop_text, name, object_address, amount } = assessment;
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm" align="baseline">
        <Text fz="sm" fw={600} lineClamp={lines} title={name ?? undefined} style={{ overflowWrap: 'anywhere' }}>
          {name ?? 'Tanpa nama'}
        </Text>
        <Text component="span" fz="sm" fw={600}>
          <Money amount={amount} />
        </Text>
      </Group>
      <Group wrap={lines === 1 ? 'nowrap' : 'wrap'} gap="0 0.75rem">
        <Anchor
          component={Link}
          to={paths.adminDhkpObject(id)}
          fz="xs"
          className="tabular"
          style={{ whiteSpace: 'nowrap' }}
        >
          {nop_text}
        </Anchor>
        <Text fz="xs" c="dimmed" lineClamp={lines} title={object_address ?? undefined}>
          {object_address ?? '-'}
        </Text>
      </Group>
    </>
  );
}

type CandidateProps = {
  candidate: Candidate;
  object: Assessment;
  /** The one that Enter links when its pair gets the focus. */
  isFirst: boolean;
  /** For a thumb. */
  isLarge: boolean;
  onLink: () => void;
};

function CandidateLine({ candidate: { user, reasons }, object, isFirst, isLarge, onLink }: CandidateProps) {
  const facts = reasons.map((reason) => matchReasonLabels[reason]).join(' · ');
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Anchor
          component={Link}
          to={paths.adminUser(user.id)}
          display="block"
          fz="sm"
          fw={600}
          truncate={!isLarge}
          title={user.name}
          style={{ overflowWrap: 'anywhere' }}
        >
          {user.name}
        </Anchor>
        <Text fz="xs" c="dimmed">
          {facts}
        </Text>
      </div>
      <Button
        variant={isFirst ? 'filled' : 'light'}
        size={isLarge ? 'md' : 'compact-sm'}
        mih={isLarge ? 44 : 30}
        flex="none"
        data-main={isFirst || undefined}
        aria-label={`Hubungkan ${objectLabel(object)} dengan ${user.name}, ${facts}`}
        onClick={onLink}
      >
        Hubungkan
      </Button>
    </Group>
  );
}
