/** Makes a text safe inside HTML and XML, in elements and in attributes. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
