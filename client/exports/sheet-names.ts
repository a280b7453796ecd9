const SHEET_NAME_MAX = 31;

/** What Excel accepts as the name of a sheet: 31 characters, none of : \ / ? * [ ], no apostrophe at an end. */
function sheetName(heading: string): string {
  const name = heading
    .toWellFormed()
    .replaceAll(/[:\\/?*[\]\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, SHEET_NAME_MAX)
    .toWellFormed()
    .replaceAll(/^[\s']+|[\s']+$/g, '');
  // Excel keeps this name for itself.
  return name === '' || name.toLowerCase() === 'history' ? 'Lembar' : name;
}

/** A name for each heading, no two alike in Excel's eyes, which do not tell capitals apart. */
export function uniqueSheetNames(headings: readonly string[]): string[] {
  const usedNames = new Set<string>();
  return headings.map((heading) => {
    const baseName = sheetName(heading);
    let name = baseName;
    for (let count = 2; usedNames.has(name.toLowerCase()); count += 1) {
      const suffix = ` (${count})`;
      name = baseName.slice(0, SHEET_NAME_MAX - suffix.length).trimEnd() + suffix;
    }
    usedNames.add(name.toLowerCase());
    return name;
  });
}
