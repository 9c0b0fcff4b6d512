import {entityCharacter} from './html-entities.ts';

/** The character behind `&name;` or `&#n;`, or the source when there is none we may show. */
export function entityText(raw: string): string {
  const body = raw.slice(1, -1);
  if (!body.startsWith('#')) return entityCharacter(body) ?? raw;
  const point = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  const printable =
    point >= 0x20 &&
    point <= 0x10ffff &&
    !(point >= 0x7f && point <= 0x9f) &&
    !(point >= 0xd800 && point <= 0xdfff);
  return printable ? String.fromCodePoint(point) : raw;
}
