const NAME_MAX = 31;

/** What Excel accepts as the name of a sheet: 31 characters, none of : \ / ? * [ ], no apostrophe at an end. */
function sheetName(heading: string): string {
  const name = heading
    .toWellFormed()
    .replaceAll(/[:\\/?*[\]\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, NAME_MAX)
    .toWellFormed()
    .replaceAll(/^[\s']+|[\s']+$/g, '');
  // Excel keeps this name for itself.
  return name === '' || name.toLowerCase() === 'history' ? 'Lembar' : name;
}

/** A name for each heading, no two alike in Excel's eyes, which do not tell capitals apart. */
export function uniqueSheetNames(headings: readonly string[]): string[] {
  const taken = new Set<string>();
  return headings.map((heading) => {
    const wanted = sheetName(heading);
    let name = wanted;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) {
      const suffix = ` (${count})`;
      name = wanted.slice(0, NAME_MAX - suffix.length).trimEnd() + suffix;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}
