import { TextDecoder } from 'node:util';
import sax from 'sax';
import { ListFileError } from './grid.ts';
import { checkMemory } from './memory-limit.ts';

export type XmlAttributes = Record<string, string>;

/** Names come without their namespace prefix: programs choose different ones. */
export type XmlHandlers = {
  open: (name: string, attributes: XmlAttributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

const PIECE_CHARACTERS = 65_536;

/**
 * Reads XML strictly and in pieces. Declared entities are never expanded and no address is opened: an unknown entity is an
 * error.
 * @throws ListFileError
 */
export async function parseXml(pieces: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  const parser = sax.parser(true, { position: false });
  Object.assign(parser, {
    onerror(error: Error) {
      throw new ListFileError('broken', error.message);
    },
    onopentag: ({ name, attributes }) => handlers.open(localName(name), attributes as XmlAttributes),
    onclosetag: (name) => handlers.close?.(localName(name)),
    ontext: (text) => handlers.text?.(text),
    oncdata: (text) => handlers.text?.(text),
  } satisfies Partial<sax.SAXParser>);
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    for (let at = 0; at < piece.length; at += PIECE_CHARACTERS) {
      parser.write(decoder.decode(piece.subarray(at, at + PIECE_CHARACTERS), { stream: true }));
      checkMemory();
    }
  }
  if (decoder) parser.write(decoder.decode());
  parser.close();
}

function encodingOf(piece: Uint8Array): string {
  if (piece[0] === 0xff && piece[1] === 0xfe) return 'utf-16le';
  if (piece[0] === 0xfe && piece[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
