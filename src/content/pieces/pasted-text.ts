import type {CompiledLinkifier} from '#content/linkifier.ts';
import {reverseLinkify} from '#content/linkifier-validation.ts';
import {printable} from '#std/printable.ts';

/** Nobody's short form stands for more. */
const longestUrl = 2000;

/**
 * What the composer inserts for pasted text: the short form when it is one URL that a linkifier makes of that form, else the
 * text itself, lines and tabs included, without anything a terminal would obey.
 */
export function pastedMarkdown(text: string, linkifiers: readonly CompiledLinkifier[]): string {
  const safe = printable(text);
  const url = safe.trim();
  if (url.length > longestUrl || !/^[a-z][a-z0-9+.-]*:\S+$/i.test(url)) return safe;
  const short = reverseLinkify(url, linkifiers);
  return short === undefined ? safe : printable(short);
}
