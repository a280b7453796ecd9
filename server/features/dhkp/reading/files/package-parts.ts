import { ListFileError } from './grid.ts';
import { parseXml } from './xml.ts';
import { unpackPart, type ZipEntries, type ZipEntry } from './zip.ts';

export type Relationship = { type: string; part: string };

/** A package of Office: the zip, its parts, and how they refer to each other. */
export type OfficePackage = { bytes: Buffer; entries: ZipEntries };

export function requirePart({ entries }: OfficePackage, name: string): ZipEntry {
  const entry = entries.get(name.toLowerCase());
  if (!entry) throw new ListFileError('broken', `no part ${name}`);
  return entry;
}

/** @returns the relationships of a part by their ids; targets in other files or on the network are left out */
export async function readRelationships(source: OfficePackage, part: string): Promise<Map<string, Relationship>> {
  const slash = part.lastIndexOf('/') + 1;
  const entry = source.entries.get(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`.toLowerCase());
  const relationships = new Map<string, Relationship>();
  if (!entry) return relationships;
  await parseXml(unpackPart(source.bytes, entry), {
    open(name, { Id, Type, Target, TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      if (Id === undefined || Type === undefined || Target === undefined) return;
      relationships.set(Id, {
        type: Type.slice(Type.lastIndexOf('/') + 1),
        part: resolve(part.slice(0, slash), Target),
      });
    },
  });
  return relationships;
}

/** The part with the list of sheets. */
export async function findWorkbookPart(source: OfficePackage, usual: string): Promise<string> {
  for (const { type, part } of (await readRelationships(source, '')).values())
    if (type === 'officeDocument') return part;
  return usual;
}

function resolve(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (target.startsWith('/') ? target : `${folder}/${target}`).split('/')) {
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  }
  return path.join('/');
}
